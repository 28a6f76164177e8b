import { useFields, useProjects } from "../pages/memory/places";
import { useCouncil } from "../answer/seats";
import { en } from "../strings/en";
import { plain } from "./pieces";
import type { Choice } from "./sections";
import { dayOf, filled, openFilter } from "./typed";

const MOST = 6;
const DAY = 86_400_000;

/** What a filter that is being typed can be set to. */
export function useValues(typed: string): readonly Choice[] {
  const open = openFilter(typed);
  const { data: projects } = useProjects();
  const { data: fields } = useFields();
  const { data: members } = useCouncil();
  if (open === null) return [];
  const { filter, value } = open;
  const names = {
    project: (projects ?? []).map((each) => each.name),
    model: (members ?? []).map((each) => each.seat),
    domain: (fields ?? []).map((each) => each.id),
    before: [],
    after: [],
  }[filter];
  const days = filter === "before" || filter === "after" ? daysFrom(new Date()) : [];
  const options = [...names.map((name) => ({ value: name, note: "" })), ...days];
  return options
    .filter((each) => each.value.toLowerCase().startsWith(value.toLowerCase()) && each.value !== value)
    .slice(0, MOST)
    .map((each) => ({
      id: `value ${filter} ${each.value}`,
      icon: "search" as const,
      title: plain(`${en.search.filters[filter]}${each.value}`),
      ...(each.note ? { note: each.note } : {}),
      deed: { kind: "type" as const, text: filled(typed, each.value) },
    }));
}

function daysFrom(now: Date): readonly { value: string; note: string }[] {
  const { today, week, month, year } = en.search.days;
  const back = (days: number) => dayOf(new Date(now.getTime() - days * DAY));
  return [
    { value: back(0), note: today },
    { value: back(7), note: week },
    { value: back(30), note: month },
    { value: back(365), note: year },
  ];
}
