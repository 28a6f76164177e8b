import { en } from "../strings/en";
import { Dialog } from "../ui/Dialog";
import { Skeleton } from "../ui/states";

/** Search over everything, above whatever page is open. */
export default function SearchPalette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={en.search.title}>
      <Skeleton lines={3} />
    </Dialog>
  );
}
