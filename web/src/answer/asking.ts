import { useMutation } from "../api/mutation";
import { api, data, type Schemas } from "../api/client";
import type { Wish } from "../composer/Composer";

export interface Asked extends Partial<Omit<Wish, "level">> {
  /** Null leaves it to the settings. */
  readonly level?: Wish["level"] | null;
  readonly text: string;
  readonly conversationId: string | null;
  /** The message of which it is another wording. */
  readonly edits?: string | null;
}

/** Says something: it is answered, or remembered, or both. Its run is followed by the stream. */
export function useSay() {
  return useMutation({
    mutationFn: (asked: Asked): Promise<Schemas["RunView"]> =>
      data(
        api.POST("/api/v1/runs", {
          body: {
            text: asked.text,
            level: asked.level ?? null,
            conversation_id: asked.conversationId,
            project_id: asked.projectId ?? null,
            members: [...(asked.members ?? [])],
            attachments: [...(asked.attachments ?? [])],
            temporary: asked.temporary ?? false,
            edits: asked.edits ?? null,
          },
        }),
      ),
  });
}
