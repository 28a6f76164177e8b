import { MutationCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";
import { reportFailure } from "./failures";

/** Tries of a read that failed for a passing reason. */
const TRIES = 2;

/**
 * What pages read. The first part of a key is what the server calls it in `changed` events ("memory", "conversations",
 * "models", …), so that a change there reads it anew; nothing is polled.
 */
export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      // A form that shows its own error says so: `meta: { quiet: true }`.
      if (mutation.meta?.quiet !== true) reportFailure(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      retry: (failures, error) => failures < TRIES && error instanceof ApiError && error.passing,
      // The server is on this machine: it can be reached without a network.
      networkMode: "always",
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: "always" },
  },
});
