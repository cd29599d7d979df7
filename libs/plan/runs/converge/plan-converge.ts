import { collectStops } from "../../stops/index.ts";
import { ClusterIndex } from "../../index/index.ts";
import { type LedgerState, nameInFleet, type RunRecord } from "../../records/index.ts";
import { createOwnership, type JudgedWorkload } from "../../workloads/index.ts";
import { type Drift, type DriftBasis, listDriftCandidates } from "./list-drift.ts";
import { type ConvergeOrder, makeConvergingRuns } from "./make-runs.ts";

/** The runs that a verb starts, and their workloads. */
export interface ConvergePlan {
  readonly runs: readonly RunRecord[];
  readonly drift: readonly Drift[];
}

/** Each workload as its run would judge it. */
function judgeUnder(
  { snapshot, head, ledger: known }: DriftBasis,
  runs: readonly RunRecord[],
): (each: JudgedWorkload) => JudgedWorkload | undefined {
  const { clusters, requests, specs, now, waitingSince } = snapshot;
  const started = Object.fromEntries(runs.map((run) => [run.id, run]));
  const ledger: LedgerState = { ...known, runs: { ...known.runs, ...started } };
  const stops = collectStops(ledger, requests, clusters.values(), { head, specs });
  const ownerOf = createOwnership(head, ledger, specs, stops);
  const indexes = new Map(
    [...clusters].map(([name, cluster]) => [name, new ClusterIndex({ cluster, head, ownerOf, now, waitingSince })]),
  );
  return ({ cluster, key }) => indexes.get(cluster)?.find(key);
}

/** Whether a run would move it, now or after its owner's turn: no campaign leaves it out, and it belongs to no other run. */
function isTaken({ run, state }: JudgedWorkload): boolean {
  const isLeft = state.kind === "pending" || state.kind === "waiting" || state.kind === "migrating";
  return run?.converge !== undefined && isLeft;
}

function isNamed(names: readonly string[] | undefined, { cluster, key, workload }: JudgedWorkload): boolean {
  if (names === undefined) return true;
  return [key, `${workload.namespace}/*`].some((name) => names.includes(nameInFleet(cluster, name)));
}

/** With everything of a namespace that moves as one: a run that names one of it is about all. */
function addUnits(all: readonly Drift[], chosen: readonly Drift[]): readonly Drift[] {
  const listUnits = ({ names }: Drift) => Object.keys(names).filter((name) => name.endsWith("/*"));
  const units = new Set(chosen.flatMap(listUnits));
  if (units.size === 0) return chosen;
  const own = new Set(chosen);
  return all.filter((each) => own.has(each) || listUnits(each).some((name) => units.has(name)));
}

/** Which drift is meant, and the most workloads; default all. */
interface Choice {
  readonly most?: number;
  readonly isWanted?: (drift: Drift) => boolean;
}

/** The workloads of a converging run for this scope; planned twice, so that it names only those that it may move. */
export function planConverge(
  basis: DriftBasis,
  order: ConvergeOrder,
  { most = Number.POSITIVE_INFINITY, isWanted = () => true }: Choice = {},
): ConvergePlan {
  const { snapshot, ledger, head } = basis;
  const all = listDriftCandidates(basis, order.scope);
  const wanted = all.filter((each) => isNamed(order.workloads, each.judged) && isWanted(each)).slice(0, most);
  const candidates = addUnits(all, wanted);
  if (candidates.length === 0) return { runs: [], drift: [] };
  const judge = judgeUnder(basis, makeConvergingRuns(snapshot, ledger, head, order, candidates));
  const drift = candidates.filter(({ judged }) => {
    const after = judge(judged);
    return after !== undefined && isTaken(after);
  });
  return { runs: makeConvergingRuns(snapshot, ledger, head, order, drift), drift };
}
