import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, data, type Schemas } from "../api/client";
import { hasFilter, openFilter, wordsOf } from "./typed";

export type Found = Schemas["Found"];
export type Meant = Schemas["Meant"];
export type Entry = Schemas["Entry"];
export type Health = Schemas["Health"];

/** Milliseconds after a letter before words are looked for, and before their meaning is. */
const LETTER = 30;
const PAUSE = 300;
const MEMORIES = 5;
const PASSAGES = 6;
/** Letters from which on a meaning can be told. */
const MEANING_FROM = 3;
const SHORT = { gcTime: 30_000, staleTime: 5_000, retry: false } as const;

export function useDebounced<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return late;
}

/** What was typed, as it is looked for. */
export function useLetters(typed: string): string {
  return useDebounced(typed, LETTER);
}

/**
 * Conversations and messages that hold the words. A new letter cancels what is asked for the one before; what was found
 * stays in sight until the next is there. Where the words as typed find nothing, other spellings are tried, too.
 */
export function useWords(text: string) {
  const asTyped = useWordsOf(text, false, true);
  const nothing = asTyped.data !== undefined && !asTyped.isPlaceholderData && isNothing(asTyped.data);
  // A filter that is still being typed is no answer yet: only instant searches pass over it.
  const again = text.trim() !== "" && nothing && openFilter(text) === null;
  const entered = useWordsOf(text, true, again);
  const late = again && entered.isPending;
  return {
    found: (again ? entered.data : undefined) ?? asTyped.data,
    error: (again ? entered.error : null) ?? asTyped.error,
    settled: !asTyped.isPending && !asTyped.isPlaceholderData && !late && !(again && entered.isPlaceholderData),
    retry: () => void asTyped.refetch(),
  };
}

function useWordsOf(q: string, entered: boolean, enabled: boolean) {
  return useQuery({
    ...SHORT,
    queryKey: ["search", "words", q, entered],
    queryFn: ({ signal }) => data(api.GET("/api/v1/search", { params: { query: { q, entered } }, signal })),
    placeholderData: entered ? undefined : keepPreviousData,
    enabled,
  });
}

export function isNothing(found: Found): boolean {
  return found.conversations.length + found.messages.length === 0;
}

/** What is remembered with these words in it. Filters are of conversations: with one, nothing of memory is looked for. */
export function useMemories(text: string): readonly Entry[] {
  const words = wordsOf(text).join(" ").slice(0, 200);
  const enabled = words.length > 1 && !hasFilter(text);
  const { data: page } = useQuery({
    ...SHORT,
    queryKey: ["memory", "found", words],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/memory", { params: { query: { text: words, limit: MEMORIES } }, signal })),
    placeholderData: keepPreviousData,
    enabled,
  });
  return enabled ? (page?.items ?? []) : [];
}

/** Passages that mean nearly what the words mean, looked for when one pauses. */
export function useMeaning(typed: string) {
  const text = useDebounced(typed, PAUSE);
  const words = wordsOf(text).join(" ");
  const enabled = words.length >= MEANING_FROM && !hasFilter(text);
  const meant = useQuery({
    ...SHORT,
    queryKey: ["search", "meaning", words],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/search/meaning", { params: { query: { q: words, limit: PASSAGES } }, signal })),
    enabled,
  });
  const current = enabled && text === typed;
  return { passages: current ? (meant.data ?? []) : [], failed: current && meant.isError, asked: current, pending: current && meant.isPending };
}

/** How the index stands. */
export function useHealth() {
  return useQuery({
    queryKey: ["search", "index"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/search/index", { signal })),
    staleTime: 0,
    retry: false,
  });
}
