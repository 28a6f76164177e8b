import { en } from "../strings/en";
import { Drawer } from "../ui/Drawer";
import { Skeleton } from "../ui/states";
import { useWhy } from "./address";

/** The reasons of one decision, beside whatever page is open. */
export default function WhyDrawer() {
  const { subject, close } = useWhy();
  return (
    <Drawer open={subject !== null} onOpenChange={close} title={en.why.title}>
      <Skeleton lines={6} />
    </Drawer>
  );
}
