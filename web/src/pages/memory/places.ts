import { useQuery } from "@tanstack/react-query";
import { api, data } from "../../api/client";
import { en } from "../../strings/en";
import type { Correction } from "./corrections";

/** All projects, the archived ones last: what was told may hold in one. */
export function useProjects() {
  return useQuery({
    queryKey: ["projects", "all"],
    queryFn: async ({ signal }) => {
      const some = (archived: boolean) => data(api.GET("/api/v1/projects", { params: { query: { archived } }, signal }));
      return (await Promise.all([some(false), some(true)])).flat();
    },
  });
}

export function useFields() {
  return useQuery({
    queryKey: ["domains", "nodes"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/domains", { signal })),
    select: (shown) => shown.nodes,
  });
}

/** The title of a conversation; empty while it is not known. */
export function useTitle(id: string | null): string {
  const { data: title } = useQuery({
    queryKey: ["conversations", "title", id],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/conversations/{conversation_id}", { params: { path: { conversation_id: id ?? "" } }, signal })),
    select: (conversation) => conversation.title || en.memory.untitled,
    enabled: id !== null,
    retry: false,
  });
  return title ?? "";
}

/** Where a correction holds, in words. projects: names by id. */
type Placed = Pick<Correction, "scope" | "project_id" | "domain">;

export function placeWords(correction: Placed, projects: ReadonlyMap<string, string>): string {
  const words = en.memory.place;
  const { scope, project_id, domain } = correction;
  if (scope === "project") {
    const name = projects.get(project_id ?? "");
    return name ? words.project(name) : en.memory.scopes.project;
  }
  if (scope === "domain" && domain) return words.domain(domain.replaceAll("_", " "));
  return en.memory.scopes[scope];
}

const NOBODY: ReadonlyMap<string, string> = new Map();

export function useProjectNames(): ReadonlyMap<string, string> {
  const { data: projects } = useProjects();
  return projects ? new Map(projects.map((each) => [each.id, each.name])) : NOBODY;
}
