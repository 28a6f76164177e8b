import { useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../../api/mutation";
import { api, data } from "../../../api/client";

export interface OwnScore {
  readonly model: string;
  readonly score: number;
  readonly source: string;
}

/** A person's own public scores: to give one, and to forget it. */
export function useScoreActs() {
  const client = useQueryClient();
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: ["record"] });
    void client.invalidateQueries({ queryKey: ["grades"] });
  };
  const put = useMutation({
    mutationFn: ({ model, score, source }: OwnScore) =>
      data(api.PUT("/api/v1/record/scores/{model}", { params: { path: { model } }, body: { score, source } })),
    onSuccess,
    meta: { quiet: true },
  });
  const forget = useMutation({
    mutationFn: (model: string) => data(api.DELETE("/api/v1/record/scores/{model}", { params: { path: { model } } })),
    onSuccess,
  });
  return { put, forget };
}

/** A share from what a person typed as a percentage, with a point or a comma; null where it is none in (0, 100). */
export function shareFrom(text: string): number | null {
  const percentage = Number(text.trim().replace(",", ".").replace(/\s*%$/, ""));
  return text.trim() !== "" && percentage > 0 && percentage < 100 ? percentage / 100 : null;
}
