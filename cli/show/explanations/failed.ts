import { lookUp } from "#libs/input";
import { type Choice, listFailureWays, printText, quoteForShell, renderWorkloadReason } from "#libs/wording";

import type { FailedMove, RunsAnswer, RunsNow, RunsSeen } from "../../read/read-runs.ts";
import { indentSentence, type Sentence } from "../../terminal/sentence.ts";
import type { ExplainSource } from "./source.ts";

/** A workload of the namespace whose failed move was not dealt with yet. */
export interface FailedItem {
  readonly cluster: string;
  /** `Kind/name`. */
  readonly workload: string;
  readonly code: string;
  /** The sentence, without its time. */
  readonly message: string;
  /** ISO: since when. */
  readonly at: string;
  /** Absent where the annotation that names it is damaged. */
  readonly run?: string;
}

/** What failed in a namespace, newest first, and what can be done, safest first. */
export interface Failed {
  readonly items: readonly FailedItem[];
  readonly ways: readonly Choice[];
}

interface Subject {
  readonly namespace: string;
  /** The revision in main. */
  readonly revision: string;
}

/** A retry was requested, so the annotation on the object counts no more. */
function isForgiven({ retried }: Pick<ExplainSource, "retried">, name: string, { run }: FailedMove): boolean {
  if (run === undefined) return false;
  return (lookUp(lookUp(retried, run.id), name) ?? 0) >= run.attempt;
}

/** A failed workload, and its name for a retry. */
interface Described {
  readonly item: FailedItem;
  readonly name: string;
}

/** A namespace that failed as a whole is retried as a whole. */
function nameFailed(
  namespace: string,
  { cluster, workload }: Pick<RunsNow, "cluster" | "workload">,
  { isNamespace }: FailedMove,
): string {
  return `${cluster}:${namespace}/${isNamespace ? "*" : workload}`;
}

/** Its move to this revision failed, and no retry of it was requested since. */
export function isFailedNow(
  source: Pick<ExplainSource, "retried">,
  { namespace, revision }: Subject,
  { failed, ...each }: Pick<RunsNow, "cluster" | "workload" | "failed">,
): boolean {
  return failed?.revision === revision && !isForgiven(source, nameFailed(namespace, each, failed), failed);
}

function describe(
  source: ExplainSource,
  { namespace, revision }: Subject,
  { cluster, workload, failed }: RunsNow,
): readonly Described[] {
  if (failed === undefined || !isFailedNow(source, { namespace, revision }, { cluster, workload, failed })) return [];
  const { reason: failure, at, run, isNamespace, notPutBack, why, cause } = failed;
  const name = nameFailed(namespace, { cluster, workload }, failed);
  const { code, message } = renderWorkloadReason({
    code: "MoveFailed",
    failure,
    at,
    isNamespace,
    ...(notPutBack === undefined ? {} : { notPutBack }),
    ...(why === undefined ? {} : { why }),
    ...(cause === undefined ? {} : { cause }),
  });
  const item = { cluster, workload, code, message: printText(message), at };
  return [{ item: run === undefined ? item : { ...item, run: run.id }, name }];
}

/** Undefined where nothing failed on the way to main's revision, or where that is unknown. */
export function findFailed(
  source: ExplainSource,
  subject: Subject,
  runs: Pick<RunsSeen, "workloads"> | Exclude<RunsAnswer, RunsSeen> | undefined,
): Failed | undefined {
  if (runs === undefined || "unknown" in runs) return undefined;
  const described = runs.workloads
    .flatMap((each) => describe(source, subject, each))
    .toSorted((a, b) => (a.item.at < b.item.at ? 1 : -1));
  const items = described.map(({ item }) => item);
  if (items.length === 0) return undefined;
  const run = items.find((each) => each.run !== undefined)?.run;
  if (run === undefined) return { items, ways: [] };
  const names = described.filter(({ item }) => item.run === run).map(({ name }) => quoteForShell(name));
  return { items, ways: listFailureWays(run, [...new Set(names)]) };
}

/** How many are named before "and N more". */
const shown = 5;

/** What failed, why and since when, and below it the possible commands with their effects. */
export function printFailed(failed: Failed | undefined, printIso: (iso: string) => string): readonly Sentence[] {
  if (failed === undefined) return [];
  const { items, ways } = failed;
  const lines = items.slice(0, shown).map(({ cluster, workload, message, at, run }) => {
    const of = run === undefined ? "" : `, in run ${run}`;
    return `${cluster} ${workload}  ✖ ${message} since ${printIso(at)}${of}`;
  });
  const more = items.length > shown ? [`… ${items.length - shown} more (-o json has all)`] : [];
  const told = ways.flatMap(({ command, effect }): readonly Sentence[] => [[{ command }], `  ${printText(effect)}`]);
  return [...lines, ...more, ...told].map((line, index) =>
    indentSentence(line, index === 0 ? "  failed    " : " ".repeat(12)),
  );
}
