import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../../api/mutation";
import { useCouncil } from "../../../answer/seats";
import { api, data, type Schemas } from "../../../api/client";

export type Models = NonNullable<ReturnType<typeof useModels>["data"]>;
export type Embedded = Models["embedded"][number];
export type Added = Models["added"][number];
export type Provider = Schemas["KnownProvider"];
export type NewModel = Schemas["NewModel"];

const KEY = ["models"] as const;
/** The provider of what the program computes itself. */
export const BUILTIN = "builtin";

/** Every model there is, who sits in the council, and what can be fetched. */
export function useModels(enabled = true) {
  return useQuery({ queryKey: [...KEY, "all"], queryFn: ({ signal }) => data(api.GET("/api/v1/models", { signal })), enabled });
}

/** Whether no model is here, only what the program computes itself; undefined until that is known. */
export function useNobody(): boolean | undefined {
  const { data: members } = useCouncil();
  const few = members !== undefined && members.length <= 1;
  const models = useModels(few);
  if (members === undefined || (few && models.isPending)) return undefined;
  return few && (members.length === 0 || models.data?.seats.every((each) => each.provider === BUILTIN) === true);
}

export function usePresets() {
  return useQuery({ queryKey: [...KEY, "presets"], queryFn: ({ signal }) => data(api.GET("/api/v1/models/presets", { signal })) });
}

function useChanging<Given, Got>(mutationFn: (given: Given) => Promise<Got>, quiet = false) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: KEY }), meta: { quiet } });
}

/** Adds a model; the form says what was refused. */
export function useAddModel() {
  return useChanging((body: NewModel) => data(api.POST("/api/v1/models", { body })), true);
}

export function useSwitchModel() {
  return useChanging(({ name, enabled }: { name: string; enabled: boolean }) =>
    data(api.PATCH("/api/v1/models/{name}", { params: { path: { name } }, body: { enabled } })),
  );
}

export function useRemoveModel() {
  return useChanging((name: string) => data(api.DELETE("/api/v1/models/{name}", { params: { path: { name } } })));
}

/** One tiny call to a model at an address. */
export function useTestModel() {
  return useMutation({
    mutationFn: (name: string) => data(api.POST("/api/v1/models/{name}/test", { params: { path: { name } } })),
  });
}

/** Begins to fetch a tier or one embedded model; its run is followed by the stream. */
export function useFetchModels() {
  return useMutation({ mutationFn: (wanted: string) => data(api.POST("/api/v1/models/fetch", { body: { wanted } })) });
}

/** Begins the self-test of one embedded model. */
export function useSelfTest() {
  return useMutation({
    mutationFn: ({ name, again }: { name: string; again: boolean }) =>
      data(api.POST("/api/v1/models/self-tests", { body: { name, again } })),
  });
}
