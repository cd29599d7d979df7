import type { RunReport } from "#libs/plan";
import { signal } from "@preact/signals";

type Stamped = RunReport & { readonly stamp: string };

/** What `/v1/runs/ID` said last of the run that is shown. `none`: it has no report of it; `unknown`: it has none of any run. */
export type RunAnswer =
  | { readonly kind: "reading" | "none" | "unknown" }
  | { readonly kind: "known"; readonly report: Stamped };

export const runAnswer = signal<RunAnswer>({ kind: "reading" });

/** Least and most ms between two requests. A long report is read less often: all of it is sent for each change. */
const [leastMs, mostMs] = [2000, 8000];
const msOfCharacter = 1 / 8;

/** The run that is shown. */
let shown: string | undefined;
let isReading = false;
/** The announced stamp at the last answer; undefined = nothing was answered yet. */
let answeredFor: string | undefined;
let askedAt = Number.NEGATIVE_INFINITY;
let waitMs = leastMs;

async function readAnswer(id: string): Promise<RunAnswer | undefined> {
  const known = runAnswer.value.kind === "known" ? runAnswer.value : undefined;
  const since = known === undefined ? "" : `?since=${encodeURIComponent(known.report.stamp)}`;
  const answer = await fetch(`/v1/runs/${encodeURIComponent(id)}${since}`);
  if (answer.status === 404) return { kind: "none" };
  if (answer.status === 503) return { kind: "unknown" };
  if (!answer.ok) return undefined;
  const text = await answer.text();
  const read = JSON.parse(text) as Stamped & { readonly since?: string };
  if (read.since === undefined) waitMs = Math.min(mostMs, Math.max(leastMs, text.length * msOfCharacter));
  return read.since === undefined ? { kind: "known", report: read } : known;
}

async function read(id: string, announced: string): Promise<void> {
  isReading = true;
  askedAt = performance.now();
  try {
    const answer = await readAnswer(id);
    // A failed request is repeated after a later pulse, and so is one for a run that is not shown any more.
    if (answer === undefined || shown !== id) return;
    // A report that was there stays when it is not any more: its time shows its age.
    if (answer.kind === "known" || runAnswer.value.kind !== "known") runAnswer.value = answer;
    answeredFor = announced;
  } catch {
    // The api went away in the middle; the same applies.
  } finally {
    isReading = false;
  }
}

/** Takes the newest stamp of runs from each pulse; empty = none was written. Reads the shown run again where it may have changed. */
export function noteRuns(announced: string): void {
  if (shown === undefined || isReading || announced === answeredFor) return;
  if (performance.now() - askedAt < waitMs) return;
  void read(shown, announced);
}

/** Shows this run until the returned function is called. */
export function followRun(id: string): () => void {
  shown = id;
  runAnswer.value = { kind: "reading" };
  answeredFor = undefined;
  waitMs = leastMs;
  // The first answer is read at once; the next pulse may announce a newer one.
  void read(id, "");
  return () => {
    if (shown === id) shown = undefined;
  };
}
