import { en } from "../../strings/en";
import type { Option } from "../../ui/Select";
import { ErrorState, Skeleton } from "../../ui/states";
import { groupsOf, type Section } from "./fields";
import { useModels } from "./models/requests";
import { useSettings } from "./requests";
import { SettingRow } from "./SettingRow";

/** The settings of one part of the page. */
export function SettingsForm({ section }: { section: Section }) {
  const settings = useSettings();
  const reviewers = useReviewers();
  if (settings.isPending) return <Skeleton lines={6} />;
  if (settings.isError) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  const words = en.settings;
  return groupsOf(section, settings.data).map((group) => (
    <section key={group.name} className="settings-group" aria-labelledby={`group-${group.name}`}>
      <h2 id={`group-${group.name}`}>{words.groups[group.name]}</h2>
      {words.groupHints[group.name] && <p className="soft">{words.groupHints[group.name]}</p>}
      <div className="settings-rows">
        {group.lines.map((line) => (
          <SettingRow key={line.key} line={line} offers={line.key === "reviewer" ? reviewers(String(line.value ?? "")) : undefined} />
        ))}
      </div>
    </section>
  ));
}

/** Who can review: everybody who sits, whoever is chosen now, or nobody in particular. */
function useReviewers(): (chosen: string) => readonly Option<string>[] {
  const models = useModels();
  const seats = (models.data?.seats ?? []).filter((each) => each.provider !== "builtin").map((each) => each.seat);
  return (chosen) => [
    { value: "", label: en.settings.bestReviewer },
    ...[...new Set(chosen ? [...seats, chosen] : seats)].map((seat) => ({ value: seat, label: seat })),
  ];
}
