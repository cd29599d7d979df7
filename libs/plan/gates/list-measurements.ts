import { lookUp } from "#libs/input";
import { isManagedNamespace } from "#libs/campaign";

import { isBaked } from "../conditions/index.ts";
import { dropAbsent, type LedgerState, parseTime, type Snapshot, type Spec } from "../records/index.ts";
import { countClasses, type RunClass, type RunView } from "../index/index.ts";
import { listForwardBuckets, settingsOf } from "../main/index.ts";
import { fillQuery } from "./sources/fill-query.ts";
import { findGateStop, buildGateContext } from "./gate-context.ts";
import { isGateTime } from "./is-gate-time.ts";
import { isRollingBack } from "./is-rolling-back.ts";
import type { GateOf, GateContext } from "./reading.ts";
import { nameSamples } from "./sources/samples-key.ts";
import { findLastBad } from "./sources/list-samples.ts";
import { findTargets } from "./sources/targets.ts";

/** The queries of one measurement with their variables filled in; without `query` it cannot be made. */
export interface FilledQueries {
  readonly query?: string;
  /** Absent = no workload is left to compare with, or the gate has no baseline. */
  readonly baselineQuery?: string;
}

/** A measurement that the planner repeats as long as it is listed. */
export interface Measurement {
  /** `<run id>/<gate name>`: the key of its samples. */
  readonly key: string;
  /** As in the file. */
  readonly query: string;
  /** Ms of the services' clock between two measurements. */
  readonly interval: number;
  /** Samples that must be kept so that the gate can fail. */
  readonly failureLimit: number;
  /** Epoch ms: earlier measurements were forgiven; -Infinity = none were. */
  readonly since: number;
  /** Epoch ms of the newest recorded bad measurement: two that count are an interval apart, also across planners. */
  readonly lastBadAt?: number;
  /** Epoch ms up to which the ledger has the bake: missed measurements since then can still be made. */
  readonly bakedTo?: number;
  /** Lists the fleet's names; called only for a measurement that is made now. */
  fill(): FilledQueries;
}

/** Namespaces with a workload of these classes whose desired revision the run brings. */
function listBrought(
  { view }: GateContext,
  brought: ReadonlySet<string>,
  classes: readonly RunClass[],
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const each of view.clusters.values()) {
    for (const { workload, desired } of each.list(classes)) if (brought.has(desired)) names.add(workload.namespace);
  }
  return names;
}

/** Namespaces of the run's buckets that stay on the replaced revision, with the same kind of traffic. */
function listUnmoved({ snapshot, head, view }: GateContext, replaced: ReadonlySet<string>): readonly string[] {
  const buckets = new Set(listForwardBuckets(view.run));
  const names = new Set<string>();
  for (const cluster of view.clusters.keys()) {
    for (const [name, { namespace }] of snapshot.clusters.get(cluster)?.namespaces ?? []) {
      const { bucket, revision } = head.resolver.resolve(name);
      if (!buckets.has(bucket.pattern) || !replaced.has(revision)) continue;
      if (isManagedNamespace(head.settings, name, namespace.labels).managed) names.add(name);
    }
  }
  return [...names];
}

/** The range of the query, ms: after the bake all of it, else the time since the last measurement. */
function chooseWindow({ interval }: GateOf<"prometheus">, { head, view, moment }: GateContext): number {
  return moment === "after" ? Math.max(interval, settingsOf(head, view.run).bake) : interval;
}

function fill(gate: GateOf<"prometheus">, context: GateContext): FilledQueries {
  const { snapshot, head, view, moment } = context;
  const targets = findTargets(snapshot, head, view.run);
  if (targets === undefined) return {};
  const brought = new Set(targets.brought);
  const moved = listBrought(context, brought, ["migrated", "migrating"]);
  // A partly migrated namespace counts as migrated.
  const left = [...listBrought(context, brought, ["pending", "pendingLast", "waiting"])].filter(
    (name) => !moved.has(name),
  );
  const namespaces = moment === "before" ? [...moved, ...left] : [...moved];
  const window = chooseWindow(gate, context);
  const query = fillQuery(gate.query, { namespaces, revisions: targets.brought, window });
  if (query === undefined) return {};
  if (gate.maxRatioToBaseline === undefined) return { query };
  const unmoved = listUnmoved(context, new Set(targets.replaced)).filter((name) => !moved.has(name));
  const others = moment === "before" ? unmoved : [...left, ...unmoved];
  // No workload is left on the replaced revision to compare with.
  if (others.length === 0) return { query };
  const baselineQuery = fillQuery(gate.query, { namespaces: others, revisions: targets.replaced, window });
  return baselineQuery === undefined || baselineQuery === query ? { query } : { query, baselineQuery };
}

/** A gate is measured only at its moment, and not after it stopped the run or let it begin. */
function isWanted(gate: GateOf<"prometheus">, head: Spec, ledger: LedgerState, view: RunView): boolean {
  const { run } = view;
  const isStopped = findGateStop(ledger, run.id, gate.name) !== undefined;
  const hasLetBegin = gate.when === "before" && lookUp(run.gates, gate.name)?.verdict === "pass";
  // Before a workload has migrated the query would cover none.
  const isEmpty = gate.when === "during" && countClasses(view, ["migrated"]) === 0;
  return !isStopped && !hasLetBegin && !isEmpty && isGateTime(gate.when, head, view);
}

/** During the bake every workload that the query covers was there all the time. */
function findBakedTo({ when }: GateOf<"prometheus">, { head, view }: GateContext): number | undefined {
  const { bake } = view.run;
  if (when !== "during" || bake === undefined || isBaked(view.run, settingsOf(head, view.run))) return undefined;
  return parseTime(bake.savedAt);
}

function listOfRun(snapshot: Snapshot, ledger: LedgerState, head: Spec, view: RunView): readonly Measurement[] {
  if (view.run.state !== "open" || isRollingBack(ledger, view.run)) return [];
  return settingsOf(head, view.run).gates.flatMap((gate) => {
    if (gate.kind !== "prometheus" || !isWanted(gate, head, ledger, view)) return [];
    const context = buildGateContext(snapshot, ledger, head, view, gate.when, gate);
    const { query, interval, failureLimit } = gate;
    const key = nameSamples(view.run.id, gate.name);
    const known = dropAbsent({ lastBadAt: findLastBad(gate, context), bakedTo: findBakedTo(gate, context) });
    return [{ key, query, interval, failureLimit, since: context.since, ...known, fill: () => fill(gate, context) }];
  });
}

/** The measurements that the planner should make now, for all open runs. */
export function listMeasurements(snapshot: Snapshot, head: Spec, views: readonly RunView[]): readonly Measurement[] {
  const { ledger } = snapshot;
  return ledger === undefined ? [] : views.flatMap((view) => listOfRun(snapshot, ledger, head, view));
}
