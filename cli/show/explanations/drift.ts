import { type Choice, listDriftWays, printText, printWorkloadReason, renderWorkloadReason } from "#libs/wording";

import type { Ask, RunsAnswer, RunsNow, RunsSeen } from "../../read/read-runs.ts";
import { indentSentence, type Sentence } from "../../terminal/sentence.ts";
import type { ExplainSource } from "./source.ts";

/** A workload of the namespace that another manager took from what meshroll wrote. */
export interface DriftItem {
  readonly cluster: string;
  /** `Kind/name`. */
  readonly workload: string;
  /** Who changed what, and what ends it. */
  readonly message: string;
  /** The field manager; absent where the API server does not say. */
  readonly manager?: string;
}

/** What differs from main though no run moves it. */
export interface Drift {
  /** Those that were put back; others are only counted by what they ask for. */
  readonly items: readonly DriftItem[];
  readonly ways: readonly Choice[];
}

/** Whether the label gives new pods another revision; main's file may itself name a tag. */
export function asksForOther({ name, revision: meant }: Ask, revision: string): boolean {
  return name !== revision && meant !== revision;
}

/** Whether a pod runs, or a new one would get, another revision. */
export function differs({ workloads, namespaces }: RunsSeen, revision: string): boolean {
  return (
    workloads.some(({ revisions }) => Object.keys(revisions).some((each) => each !== revision)) ||
    namespaces.some(({ asks }) => asks.some((each) => asksForOther(each, revision)))
  );
}

function describe({ cluster, workload, overwritten }: RunsNow, revision: string): readonly DriftItem[] {
  if (overwritten === undefined || overwritten.target !== revision) return [];
  const { manager } = overwritten;
  const message = printWorkloadReason(renderWorkloadReason({ code: "Overwritten", ...overwritten }));
  return [{ cluster, workload, message, ...(manager === undefined ? {} : { manager }) }];
}

/**
 * Undefined where nothing differs, where an open run may still move it, or where that is not known. Failures are told apart: a retry
 * is theirs.
 */
export function findDrift(
  { isInRun }: Pick<ExplainSource, "isInRun">,
  { namespace, revision }: { readonly namespace: string; readonly revision: string },
  runs: RunsAnswer | undefined,
): Drift | undefined {
  if (runs === undefined || "unknown" in runs || isInRun === true || !differs(runs, revision)) return undefined;
  const items = runs.workloads.flatMap((each) => describe(each, revision));
  const isFailed = runs.workloads.some(({ failed }) => failed?.revision === revision);
  if (items.length === 0 && (isInRun === undefined || isFailed)) return undefined;
  return { items, ways: listDriftWays(namespace) };
}

/** How many are named before "and N more". */
const shown = 5;

/** What was put back, by whom and what ends it, and below it the possible commands with their effects. */
export function printDrift(drift: Drift | undefined): readonly Sentence[] {
  if (drift === undefined) return [];
  const { items, ways } = drift;
  const named = items.slice(0, shown).map(({ cluster, workload, message }) => `${cluster} ${workload}  ${message}`);
  const more = items.length > shown ? [`… ${items.length - shown} more (-o json has all)`] : [];
  const lines = items.length === 0 ? ["it differs from main, and no open run moves it"] : [...named, ...more];
  const told = ways.flatMap(({ command, effect }): readonly Sentence[] => [[{ command }], `  ${printText(effect)}`]);
  return [...lines, ...told].map((line, index) => indentSentence(line, index === 0 ? "  drift     " : " ".repeat(12)));
}
