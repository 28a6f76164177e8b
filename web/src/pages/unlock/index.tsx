import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Skeleton } from "../../ui/states";

export default function UnlockPage() {
  return (
    <Page title={en.pages.unlock}>
      <Skeleton lines={5} />
    </Page>
  );
}
