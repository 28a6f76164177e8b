import { useState } from "react";
import { en } from "../../../strings/en";
import { Tabs } from "../../../ui/Tabs";
import { Part } from "../parts";
import { CheckProof } from "./CheckProof";
import { Checkpoints, Days } from "./Checkpoints";
import { Entries } from "./Entries";
import { Head } from "./Head";

const words = en.hood.audit;

type Tab = "entries" | "checkpoints" | "days" | "check";

/** The log that shows whatever is changed in it: where it stands, its entries, its signatures, and proofs. */
export function AuditSection() {
  const [tab, setTab] = useState<Tab>("entries");
  return (
    <Part level={2} title={en.hood.sections.audit} intro={words.intro}>
      <Head />
      <Tabs
        label={words.tabs}
        value={tab}
        onChoose={setTab}
        tabs={[
          { value: "entries", label: words.entries, content: <Entries /> },
          { value: "checkpoints", label: words.checkpoints, content: <Checkpoints /> },
          { value: "days", label: words.days, content: <Days /> },
          { value: "check", label: words.check, content: <CheckProof /> },
        ]}
      />
    </Part>
  );
}
