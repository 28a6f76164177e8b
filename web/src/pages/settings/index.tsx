import { getRouteApi } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useAccess } from "../../api/access";
import { Page } from "../../shell/Page";
import { SectionNav } from "../../shell/SectionNav";
import { en } from "../../strings/en";
import { EmptyState } from "../../ui/states";
import { AboutSection } from "./About";
import { AccessSection } from "./access";
import { AppearanceSection } from "./Appearance";
import { type Section, SECTIONS } from "./fields";
import { PrivacySection } from "./keeping";
import { PanicSection } from "./keeping/Panic";
import { ModelsSection } from "./models";
import "./settings.css";
import { SettingsForm } from "./SettingsForm";

const route = getRouteApi("/settings/$section");

const PARTS: Readonly<Record<Section, ComponentType>> = {
  models: ModelsSection,
  answers: () => <SettingsForm section="answers" />,
  memory: () => <SettingsForm section="memory" />,
  notes: () => <SettingsForm section="notes" />,
  privacy: PrivacySection,
  access: AccessSection,
  appearance: AppearanceSection,
  about: AboutSection,
  panic: PanicSection,
};

const TABS = SECTIONS.map((key) => ({ key, label: en.settings.sections[key] }));

/** Everything that can be set, one part at a time. */
export default function SettingsPage() {
  const { section } = route.useParams();
  const over = useAccess() === "ended";
  const known = SECTIONS.find((each) => each === section);
  const Part = known ? PARTS[known] : Unknown;
  return (
    <Page title={en.pages.settings}>
      {!over && <SectionNav page={en.pages.settings} to="/settings/$section" sections={TABS} />}
      <div className="settings" key={section}>
        <Part />
      </div>
    </Page>
  );
}

function Unknown() {
  return <EmptyState title={en.settings.unknownSection}>{en.settings.unknownSectionRemedy}</EmptyState>;
}
