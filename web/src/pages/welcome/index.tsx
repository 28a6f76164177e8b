import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Skeleton } from "../../ui/states";

export default function WelcomePage() {
  return (
    <Page title={en.pages.welcome}>
      <Skeleton lines={5} />
    </Page>
  );
}
