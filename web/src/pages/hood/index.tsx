import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Skeleton } from "../../ui/states";

export default function HoodPage() {
  return (
    <Page title={en.pages.hood}>
      <Skeleton lines={5} />
    </Page>
  );
}
