import type { RealFleet } from "../../fleet/real-fleet.ts";

/** `rollouts.yml` with this percentage on `new`. */
export const file = (percent: number): string => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;

export const names = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

/** The workload whose pods never get ready on `new`. */
const bad = { namespace: "shop-d", kind: "Deployment", name: "web" } as const;

/** A shop in which every workload can move, or one with a workload whose move is undone. */
export type ShopKind = "well" | "withBad";

const settingsOf: Readonly<Record<ShopKind, string>> = {
  // No workload fails and no proxy is late, so timeouts are long enough for a frozen or unreachable process in this faster
  // time: its last inventory counts for a minute, which is half an hour here.
  well:
    "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 1h }\n" +
    "  gates: [{ name: proxy-sync, when: during, proxySync: { within: 1h }, onNoData: pass }]\n",
  withBad:
    "defaults:\n  batch: { batchSize: 3, delayBetweenBatches: 5s, readinessTimeout: 2m, failurePolicy: ContinueOnError }\n",
};

/** Eight Deployments of two pods on `old`, and kube-system, which must not be touched. */
export async function openShop(fleet: RealFleet, kind: ShopKind, byCli = false): Promise<void> {
  const { model } = fleet;
  model.addIstiod("old");
  model.addIstiod("new");
  const labels = { "istio.io/rev": "old" };
  for (const name of names)
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 15_000 });
  model.addDeployment({ ns: "kube-system", name: "dns", replicas: 2 });
  if (kind === "withBad") model.breakWorkload(bad, { how: "neverReady", whenRevision: "new" });
  await fleet.start({ "rollouts.yml": file(0), "meshroll.yml": settingsOf[kind] }, byCli ? "byCli" : "here");
}

/** The end of a run, which a fault may not change. */
interface EndState {
  /** `old`, `new`, or both while a workload rolls. */
  readonly revisions: Readonly<Record<string, string>>;
  /** Successful writes by workload. */
  readonly writes: Readonly<Record<string, number>>;
  /** State of each run, and what it skipped. */
  readonly runs: readonly string[];
}

function readRevisions({ model }: RealFleet): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      const pods = model.podsOf({ namespace: `shop-${name}`, kind: "Deployment", name: "web" });
      return [
        name,
        [...new Set(pods.map((pod) => String(pod.revision)))].toSorted((a, b) => a.localeCompare(b)).join("+"),
      ];
    }),
  );
}

/** How many workloads run this revision with all their pods, and nothing else. */
export function countOn(fleet: RealFleet, revision: string): number {
  return names.filter((name) => {
    const pods = fleet.model.podsOf({ namespace: `shop-${name}`, kind: "Deployment", name: "web" });
    return pods.length === 2 && pods.every((pod) => pod.revision === revision && pod.ready);
  }).length;
}

export async function readEnd(fleet: RealFleet): Promise<EndState> {
  const writes = Object.fromEntries(
    names.map((name) => [name, fleet.writes.filter(({ path }) => path.includes(`/shop-${name}/`)).length]),
  );
  const runs = (await fleet.runs()).map(({ state, outcome }) => {
    const skipped = outcome?.skipped.map(({ workload, code }) => `${workload} ${code}`) ?? [];
    return [state, ...skipped].join(", ");
  });
  return { revisions: readRevisions(fleet), writes, runs };
}

function repeat<T>(value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** The end of an undisturbed run: each workload is written once, the bad one once more by its undo. */
export const undisturbed: Readonly<Record<ShopKind, EndState>> = {
  well: { revisions: repeat("new"), writes: repeat(1), runs: ["done"] },
  withBad: {
    revisions: { ...repeat("new"), d: "old" },
    writes: { ...repeat(1), d: 2 },
    runs: ["done, shop-d/Deployment/web ReadinessTimeout"],
  },
};
