import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "./mutation";
import { api, data, type Schemas } from "./client";
import { dropConversation } from "./deleted";

export type Conversation = Schemas["Conversation"];

/** Conversations fetched at a time. */
const PAGE = 100;
const KEY = ["conversations"] as const;

/** All conversations that are not archived, the latest used first, fetched as far as the reader scrolls. */
export function useConversations() {
  return useInfiniteQuery({
    queryKey: [...KEY, "list"],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/v1/conversations", {
          params: { query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next ?? null,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
}

/** Renames, archives or brings back a conversation. */
export function useChangeConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: { id: string; title?: string; archived?: boolean }) =>
      data(api.PATCH("/api/v1/conversations/{conversation_id}", { params: { path: { conversation_id: id } }, body: change })),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Deletes a conversation for good. */
export function useDeleteConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      data(api.DELETE("/api/v1/conversations/{conversation_id}", { params: { path: { conversation_id: id } } })),
    onSuccess: (_deleted, id) => dropConversation(client, id),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
