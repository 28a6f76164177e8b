import { useMutation as useQueryMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useCallback } from "react";

/** What follows one change. */
export interface Then<TData, TVariables> {
  readonly onSuccess?: (data: TData, variables: TVariables) => void;
  readonly onError?: (error: Error, variables: TVariables) => void;
  readonly onSettled?: () => void;
}

type Mutate<TData, TVariables> = (variables: TVariables, then?: Then<TData, TVariables>) => void;

export type Mutation<TData, TVariables> = Omit<UseMutationResult<TData, Error, TVariables>, "mutate"> & {
  readonly mutate: Mutate<TData, TVariables>;
};

/**
 * A change by the interface. Unlike the library's own `mutate`, what follows it happens also when the part of the page
 * that asked for it is gone by then: the event stream often tells of a change before its answer has arrived.
 */
export function useMutation<TData, TVariables = void>(
  options: UseMutationOptions<TData, Error, TVariables>,
): Mutation<TData, TVariables> {
  const mutation = useQueryMutation<TData, Error, TVariables>(options);
  const { mutateAsync } = mutation;
  const mutate = useCallback<Mutate<TData, TVariables>>(
    (variables, then = {}) => {
      mutateAsync(variables).then(
        (data) => {
          then.onSuccess?.(data, variables);
          then.onSettled?.();
        },
        (error: unknown) => {
          // Failures are told as a toast by the cache of mutations; here only the part of the page reacts.
          then.onError?.(error instanceof Error ? error : new Error(String(error)), variables);
          then.onSettled?.();
        },
      );
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
