import { useParams } from "@tanstack/react-router";
import { type ComponentType, useEffect, useRef } from "react";
import { HOOD_SECTIONS, type HoodSection } from "../../router";
import { NotFound } from "../../shell/NotFound";
import { Page } from "../../shell/Page";
import { SectionNav } from "../../shell/SectionNav";
import { en } from "../../strings/en";
import { AuditSection } from "./audit/AuditSection";
import { CalibrationSection } from "./calibration/CalibrationSection";
import { ComplianceSection } from "./ComplianceSection";
import { DomainsSection } from "./domains/DomainsSection";
import { EgressSection } from "./egress/EgressSection";
import { useFresh } from "./fresh";
import "./hood.css";
import { LedgerSection } from "./LedgerSection";
import { RecordSection } from "./record/RecordSection";
import { ReviewersSection } from "./ReviewersSection";
import { RoutingSection } from "./routing/RoutingSection";
import { UsageSection } from "./usage/UsageSection";
import { VotesSection } from "./VotesSection";

const SECTIONS: Readonly<Record<HoodSection, ComponentType>> = {
  record: RecordSection,
  domains: DomainsSection,
  calibration: CalibrationSection,
  votes: VotesSection,
  reviewers: ReviewersSection,
  compliance: ComplianceSection,
  ledger: LedgerSection,
  routing: RoutingSection,
  usage: UsageSection,
  egress: EgressSection,
  audit: AuditSection,
};

const NAMED = HOOD_SECTIONS.map((key) => ({ key, label: { ...en.hood.sections, ...en.hood.nav }[key] }));

/** What was learned and what was done, with the numbers that it rests on. */
export default function HoodPage() {
  const { section } = useParams({ from: "/hood/$section" });
  const nav = useRef<HTMLDivElement>(null);
  useFresh();
  useEffect(() => {
    // On a narrow screen the parts do not fit into one row: the one that is open must be in sight.
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [section]);
  const known = HOOD_SECTIONS.find((each) => each === section);
  if (known === undefined) return <NotFound />;
  const Section = SECTIONS[known];
  return (
    <Page title={en.pages.hood}>
      <div ref={nav} className="hood-nav">
        <SectionNav page={en.pages.hood} to="/hood/$section" sections={NAMED} />
      </div>
      <Section key={known} />
    </Page>
  );
}
