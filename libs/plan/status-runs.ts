import { take } from "./candidates.ts";
import type { RunClass } from "./facets.ts";
import { countClasses, countLeft, type RunInCluster, type RunView } from "./run-view.ts";
import type { WorkloadStanding } from "./standing.ts";

/** A workload that its run gave up; `failed` where it carries a mark of that run, absent where it was only left alone. */
interface AsideStatus {
  readonly cluster: string;
  readonly workload: string;
  readonly reason: string;
  readonly failed?: true;
}

export interface RunStatus {
  readonly id: string;
  /** Full SHA; absent from a planner of an earlier version. */
  readonly commit?: string;
  readonly subject: string;
  readonly author: string;
  readonly startedAt: string;
  readonly workloads: number;
  readonly arrived: number;
  readonly moving: number;
  readonly due: number;
  readonly waiting: number;
  /** The first hundred, failures before the others; `asideTotal` counts them all. */
  readonly aside: readonly AsideStatus[];
  readonly asideTotal: number;
  /** Its share of each cluster in which it has workloads. */
  readonly clusters: readonly RunShareStatus[];
}

/** A run in one cluster; `workloads` is the sum of the others, and `failed` are those of `aside` that carry a mark. */
interface RunShareStatus {
  readonly cluster: string;
  readonly workloads: number;
  readonly arrived: number;
  readonly moving: number;
  readonly due: number;
  readonly waiting: number;
  readonly aside: number;
  readonly failed: number;
}

/** Lists end here: a status travels over a bus that ends at 1 MiB. */
const shown = 100;

function readAside({ cluster, key, standing }: WorkloadStanding): AsideStatus {
  const { reason, failed } = standing.kind === "aside" ? standing : { reason: "", failed: undefined };
  return { cluster, workload: key, reason, ...(failed === undefined ? {} : { failed: true }) };
}

/** Failures first: where more are aside than are listed, they are what people look for. */
function listAside(view: RunView): readonly AsideStatus[] {
  const all = [...view.clusters.values()];
  const failed = all.flatMap((classes) => take(classes.listFailed(), shown).map(readAside));
  const others = all.flatMap((classes) => classes.collect("aside", shown, readAside)).filter((each) => !each.failed);
  return [...failed, ...others].slice(0, shown);
}

function describeShare(cluster: string, classes: RunInCluster): RunShareStatus {
  const counts = {
    arrived: classes.count(["there"]),
    moving: classes.count(["moving"]),
    due: classes.count(["due", "back", "dueLast"]),
    waiting: classes.count(["blocked"]),
    aside: classes.count(["aside"]),
  };
  const workloads = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { cluster, workloads, ...counts, failed: [...classes.listFailed()].length };
}

/** One run, as every surface shows it. */
export function describeRun(view: RunView): RunStatus {
  const { run } = view;
  const count = (...classes: readonly RunClass[]) => countClasses(view, classes);
  return {
    id: run.id,
    commit: run.commit,
    subject: run.subject,
    author: run.author,
    startedAt: run.startedAt,
    workloads: countLeft(view).total,
    arrived: count("there"),
    moving: count("moving"),
    due: count("due", "back", "dueLast"),
    waiting: count("blocked"),
    aside: listAside(view),
    asideTotal: count("aside"),
    clusters: [...view.clusters].map(([name, classes]) => describeShare(name, classes)),
  };
}
