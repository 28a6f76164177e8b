import { useQuery } from "@tanstack/react-query";
import { api, data } from "../api/client";

/** The stored reasons in their five sections. A question that is still being answered has none. */
export function useReasons(subject: string, enabled: boolean) {
  return useQuery({
    queryKey: ["questions", subject, "why"],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/questions/{question}/why", { params: { path: { question: subject } }, signal })),
    enabled,
  });
}
