import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Skeleton } from "../../ui/states";

export default function MemoryPage() {
  return (
    <Page title={en.pages.memory}>
      <Skeleton lines={5} />
    </Page>
  );
}
