import { type ClusterContext, createOwnership, type JudgedWorkload } from "../workloads/index.ts";
import { collectStops, listServedRuns, type ActiveStop } from "../stops/index.ts";
import type { Snapshot, Spec, LedgerState } from "../records/index.ts";
import { ClusterIndex } from "./cluster-index.ts";
import { type RunView, viewRuns } from "./run-view.ts";

/** The facts that each step of `decide` may use, once main and the ledger are known to be good. */
export interface DecisionContext {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly evaluation: Evaluation;
  /** From all four places. */
  readonly stops: readonly ActiveStop[];
}

/** The state of every workload by the files of this commit; undefined while they were not read. */
export function buildContext(snapshot: Snapshot, ledger: LedgerState, commit: string): DecisionContext | undefined {
  const spec = snapshot.specs.get(commit);
  if (spec === undefined) return undefined;
  return { snapshot, ledger, head: spec, ...evaluateOnce(snapshot, spec) };
}

/** Judges every workload of a cluster, one after the other; a caller that needs only some of them uses a `ClusterIndex`. */
export function judgeCluster(question: ClusterContext): readonly JudgedWorkload[] {
  return [...new ClusterIndex(question)];
}

/** The judged fleet of one snapshot. */
export interface Evaluation {
  readonly judged: ReadonlyMap<string, ClusterIndex>;
  /** Served runs, oldest first. */
  readonly views: readonly RunView[];
}

interface Evaluated {
  readonly evaluation: Evaluation;
  readonly stops: readonly ActiveStop[];
}

const evaluated = new WeakMap<Snapshot, { readonly head: Spec; readonly found: Evaluated }>();

/** Judges every cluster of a snapshot; the same snapshot is judged once by the same head. */
export function evaluateFleet(snapshot: Snapshot, head: Spec): Evaluation {
  return evaluateOnce(snapshot, head).evaluation;
}

function evaluateOnce(snapshot: Snapshot, head: Spec): Evaluated {
  const known = evaluated.get(snapshot);
  if (known?.head === head) return known.found;
  const { ledger, specs, now, waitingSince } = snapshot;
  const stops = collectStops(ledger, snapshot.requests, snapshot.clusters.values(), { head, specs });
  const ownerOf = createOwnership(head, ledger, specs, stops);
  const judged = new Map<string, ClusterIndex>();
  for (const cluster of snapshot.clusters.values()) {
    judged.set(cluster.name, new ClusterIndex({ cluster, head, ownerOf, now, waitingSince }));
  }
  const evaluation = { judged, views: viewRuns(listServedRuns(ledger, stops), judged) };
  const found = { evaluation, stops };
  evaluated.set(snapshot, { head, found });
  return found;
}
