import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Skeleton } from "../../ui/states";

export default function SettingsPage() {
  return (
    <Page title={en.pages.settings}>
      <Skeleton lines={5} />
    </Page>
  );
}
