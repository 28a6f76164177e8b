import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Skeleton } from "../../ui/states";

export default function DisagreementPage() {
  return (
    <Page title={en.pages.disagreement}>
      <Skeleton lines={5} />
    </Page>
  );
}
