import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../api/mutation";
import { api, data, type Schemas } from "../../api/client";

export type Setting = Schemas["SettingLine"];
export type Value = Setting["value"];

const KEY = ["settings"] as const;

/** Every setting with its value, default, origin and meaning. */
export function useSettings() {
  return useQuery({ queryKey: [...KEY, "all"], queryFn: ({ signal }) => data(api.GET("/api/v1/settings", { signal })) });
}

/** Changes one setting; null goes back to the default. Its field says what was refused. */
export function useChangeSetting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, value }: { key: string; value: Value }) =>
      data(api.PUT("/api/v1/settings/{key}", { params: { path: { key } }, body: { value } })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}
