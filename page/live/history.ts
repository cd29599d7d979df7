import type { History } from "#libs/events";
import { computed, type ReadonlySignal, signal, type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { findSince, printHistoryQuery, readHistoryChoice } from "../model/history-query.ts";
import { readChoice } from "./address.ts";
import { readFleetTime } from "./fleet-clock.ts";

/** The ledger's newest commit that the api has; undefined while it has none. */
export const historyStamp = signal<string | undefined>(undefined);

/** What is known of the asked part of the history. */
export type HistoryState =
  | { readonly kind: "loading" }
  | { readonly kind: "known"; readonly history: History }
  /** No planner has published one. */
  | { readonly kind: "unknown" }
  /** The api's sentence about a filter that it cannot read, or about a fault. */
  | { readonly kind: "refused"; readonly message: string };

/** Ms before a failed request is repeated. */
const againMs = 2000;
/** Ms in which a person who types gives the next letter. */
const typingMs = 200;

/** The choices of the history's view. */
export const historyChoice = computed(() => readHistoryChoice(readChoice));

/** Its query; the period is counted by the fleet's clock, and by the browser's while no status is known. */
export const historyQuery: ReadonlySignal<string> = computed(() => {
  const since = findSince(historyChoice.value, readFleetTime() ?? Date.now());
  return printHistoryQuery(historyChoice.value, since === undefined ? undefined : new Date(since).toISOString());
});

async function readMessage(answer: Response): Promise<string> {
  try {
    return ((await answer.json()) as { readonly message: string }).message;
  } catch {
    // A proxy's error page.
    return `the api answered ${answer.status}`;
  }
}

/** Undefined where the api did not answer. */
async function read(query: string, stop: AbortSignal): Promise<HistoryState | undefined> {
  try {
    const answer = await fetch(`/v1/history?${query}`, { signal: stop });
    if (answer.ok) return { kind: "known", history: (await answer.json()) as History };
    if (answer.status === 503) return { kind: "unknown" };
    return { kind: "refused", message: await readMessage(answer) };
  } catch {
    // The api went away, or another query is asked by now; the header says how old the page is.
    return undefined;
  }
}

/** Reads until there is an answer; what was known stays meanwhile. */
async function follow(query: string, state: Signal<HistoryState>, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const found = await read(query, stop);
    if (stop.aborted) return;
    // What was read stays while an api that has just started knows nothing yet.
    if (found !== undefined && (found.kind !== "unknown" || state.peek().kind !== "known")) state.value = found;
    if (found?.kind === "known" || found?.kind === "refused") return;
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

/** The part of the history that a query of `/v1/history` asks for; it is read again when the ledger has grown. */
export function useHistory(query: string): ReadonlySignal<HistoryState> {
  const state = useSignal<HistoryState>({ kind: "loading" });
  const stamp = historyStamp.value;
  const asked = useRef(query);
  useEffect(() => {
    const stop = new AbortController();
    // A new transition is shown at once; a filter may still be being typed.
    const waitMs = asked.current === query ? 0 : typingMs;
    asked.current = query;
    const timer = setTimeout(() => void follow(query, state, stop.signal), waitMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, stamp]);
  return state;
}
