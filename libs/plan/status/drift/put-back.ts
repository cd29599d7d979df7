import { type PutBackWords, renderPutBack, nameManager } from "#libs/wording";

import { type ClusterIndex, evaluateFleet } from "../../index/index.ts";
import { type Decision, nameInFleet, type Snapshot } from "../../records/index.ts";
import { findInsisting, readMark } from "../../runs/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { mostListed } from "../status-runs.ts";

/** Workloads that their owners' deploys overwrote after a run moved them. */
export interface PutBackStatus extends Omit<ReturnType<typeof renderPutBack>, "managers"> {
  readonly workloads: number;
  /** The first hundred, by `cluster:namespace/Kind/name`. */
  readonly first: readonly string[];
  /** The oldest run that had moved one of them. */
  readonly run?: string;
  /** Of the first hundred: overwritten again within a day, so that `drift: converge` leaves them alone. */
  readonly insisting: readonly { readonly workload: string; readonly manager: string }[];
  /** What ends it for each field manager that wrote; absent in an earlier version's status. */
  readonly managers?: readonly { readonly manager: string; readonly end: string }[];
}

function readWhole(each: JudgedWorkload): JudgedWorkload {
  return each;
}

/** In the order of main; runs that the ledger no longer has are left out. */
function findOldest({ ledger }: Snapshot, ids: ReadonlySet<string>): string | undefined {
  const runs = Object.values(ledger?.runs ?? {}).filter(({ id }) => ids.has(id));
  return runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))[0]?.id;
}

/** The managers that overwrote these, the one of most workloads first. */
function listManagers(overwritten: readonly JudgedWorkload[]): PutBackWords["managers"] {
  const counts = new Map<string | undefined, number>();
  for (const { state } of overwritten) {
    if (state.kind !== "skipped" || state.reason.code !== "Overwritten") continue;
    const { manager } = state.reason;
    counts.set(manager, (counts.get(manager) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([manager]) => manager);
}

interface PutBack {
  readonly words: PutBackWords;
  readonly first: readonly string[];
  readonly insisting: PutBackStatus["insisting"];
}

function findPutBack(snapshot: Snapshot, fleet: ReadonlyMap<string, ClusterIndex>): PutBack | undefined {
  const workloads = [...fleet.values()].reduce((sum, index) => sum + index.count("overwritten"), 0);
  if (workloads === 0) return undefined;
  const first = [...fleet.values()]
    .flatMap((index) => index.collect("overwritten", mostListed, readWhole))
    .slice(0, mostListed);
  const writers = new Set(first.flatMap(({ workload }) => readMark(workload)?.run ?? []));
  const run = findOldest(snapshot, writers);
  const insisting = first.flatMap((each) => {
    const found = findInsisting(snapshot.ledger?.runs ?? {}, each);
    return found === undefined
      ? []
      : [{ workload: nameInFleet(each.cluster, each.key), manager: nameManager(found.manager) }];
  });
  const scope = writers.size === 1 && run !== undefined ? (`run/${run}` as const) : "all";
  const insistingManagers = [...new Set(insisting.map(({ manager }) => manager))].toSorted();
  const counts = { workloads, insisting: insisting.length };
  const words: PutBackWords = { ...counts, run, scope, managers: listManagers(first), insistingManagers };
  return { words, first: first.map(({ cluster, key }) => nameInFleet(cluster, key)), insisting };
}

/** All overwritten workloads of the fleet; undefined where there are none. */
export function describePutBack(
  snapshot: Snapshot,
  fleet: ReadonlyMap<string, ClusterIndex>,
): PutBackStatus | undefined {
  const found = findPutBack(snapshot, fleet);
  if (found === undefined) return undefined;
  const { words, first, insisting } = found;
  const { workloads, run } = words;
  return { workloads, first, ...(run === undefined ? {} : { run }), insisting, ...renderPutBack(words) };
}

/** The numbers of workloads and of managers in a notification. */
const named = 3;
const mostManagers = 2;

/** Only a notification: nothing waits for it, so `decide` does not return it. */
export function noticePutBack(snapshot: Snapshot): readonly Decision[] {
  const head = snapshot.specs.get(snapshot.main.head);
  const found = head === undefined ? undefined : findPutBack(snapshot, evaluateFleet(snapshot, head).judged);
  if (found === undefined) return [];
  const { words, first } = found;
  const { workloads, run, scope } = words;
  const managers = words.managers.slice(0, mostManagers);
  const subject = { workloads, run, scope, managers, names: first.slice(0, named) };
  return [{ kind: "wait", scope: "all", reason: { code: "OverwrittenByOwners", ...subject } }];
}
