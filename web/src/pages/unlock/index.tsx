import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Mark } from "../../theme/Mark";
import { UnlockForm } from "./UnlockForm";
import "./unlock.css";

const words = en.unlock;

/** Asks for the passphrase of a locked store, and goes on to where one wanted to go. */
export default function UnlockPage() {
  return (
    <Page title={en.pages.unlock} titleHidden width="text">
      <div className="unlock">
        <Mark size={52} />
        <p className="unlock-title">{words.sentence}</p>
        <p>{words.text}</p>
        <UnlockForm />
        <p className="soft unlock-lost">{words.lost}</p>
      </div>
    </Page>
  );
}
