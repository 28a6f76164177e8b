import { ImportChats } from "../../welcome/ImportChats";
import { en } from "../../../strings/en";
import { BackupsSection } from "./Backups";
import { KeySection } from "./Passphrase";

const words = en.keeping;

/** How what is here is kept, and for how long. */
export function PrivacySection() {
  return (
    <>
      <KeySection />
      <BackupsSection />
      <section className="settings-group" aria-labelledby="temporary">
        <h2 id="temporary">{words.temporary}</h2>
        <p className="measure">{words.temporaryText}</p>
      </section>
      <section className="settings-group" aria-labelledby="bring">
        <h2 id="bring">{words.bring}</h2>
        <p className="measure">{en.welcome.bringText}</p>
        <ImportChats />
      </section>
    </>
  );
}
