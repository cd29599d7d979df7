import { type Namespace, readAnnotations, type SailAnnotations, type Workload } from "#libs/fleet";

import type { RunRecord, Spec } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import type { JudgedWorkload } from "./workload-state.ts";

type Subject = Pick<JudgedWorkload, "workload" | "inventory">;

function readOne(object: Workload | Namespace): SailAnnotations {
  return readAnnotations(object)?.sail ?? {};
}

/** The time without progress for one workload, ms: its owner's annotation, then its namespace's, then the settings. */
export function chooseReadinessTimeout({ workload, inventory }: Subject, settings: number): number {
  const own = readOne(workload).readinessTimeout;
  return own ?? readOne(inventory.namespace).readinessTimeout ?? settings;
}

/** The time without progress for a workload that a run moves, ms, by head's files. */
export function findReadinessTimeout(subject: Subject, head: Spec, run: RunRecord | undefined): number {
  return chooseReadinessTimeout(subject, settingsOf(head, run).batch.readinessTimeout);
}

/** Lower batches move first; default 0. A namespace that moves as a unit has one batch, its own annotation. */
export function readMigrationBatch({ workload, inventory, site }: Subject & Pick<JudgedWorkload, "site">): number {
  const shared = readOne(inventory.namespace).migrationBatch ?? 0;
  return site.kind === "namespace" ? shared : (readOne(workload).migrationBatch ?? shared);
}

/** The workloads with the lowest batch, in the given order. */
function takeLowest(all: readonly JudgedWorkload[]): readonly JudgedWorkload[] {
  const lowest = Math.min(...all.map(readMigrationBatch));
  return all.filter((each) => readMigrationBatch(each) === lowest);
}

function* listZero(all: Iterable<JudgedWorkload>): Generator<JudgedWorkload, undefined> {
  for (const each of all) if (readMigrationBatch(each) === 0) yield each;
}

/**
 * The workloads with the lowest migration batch, in order; no job mixes two batches. `placed`: those with a batch other than 0,
 * few or none, so that the many others need no check.
 */
export function* listLowestBatch(
  all: () => Iterable<JudgedWorkload>,
  placed: readonly JudgedWorkload[],
): Generator<JudgedWorkload, undefined> {
  const before = placed.filter((each) => readMigrationBatch(each) < 0);
  if (before.length > 0) {
    yield* takeLowest(before);
    return;
  }
  let hasPlace = false;
  for (const each of placed.length === 0 ? all() : listZero(all())) {
    hasPlace = true;
    yield each;
  }
  if (!hasPlace && placed.length > 0) yield* takeLowest(placed);
}
