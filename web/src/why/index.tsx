import { en } from "../strings/en";
import { Drawer } from "../ui/Drawer";
import { useWhy } from "./address";
import { Explanation } from "./Explanation";
import "./why.css";

/** The reasons of one decision, beside whatever page is open. */
export default function WhyDrawer() {
  const { subject, close } = useWhy();
  return (
    <Drawer open={subject !== null} onOpenChange={close} title={en.why.title} size="l">
      {subject !== null && <Explanation key={subject} subject={subject} />}
    </Drawer>
  );
}
