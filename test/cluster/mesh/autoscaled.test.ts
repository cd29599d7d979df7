import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";

import { runCli } from "#test/run-cli";

import { type AuditEntry, type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
// One of six fails on purpose, for which the built-in gate would stop the run.
const settings = [
  "defaults:",
  "  batch: { batchSize: 20, delayBetweenBatches: 0s, readinessTimeout: 25s, failurePolicy: ContinueOnError }",
  "  gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]",
].join("\n");

type Bounds = readonly [min: number, max: number];

interface Scaled {
  readonly name: string;
  readonly kind?: "Deployment" | "StatefulSet";
  /** Its pods crash when they are moved. */
  readonly breaks?: true;
  /** The autoscaler's bounds: at first, one after the other while its pods are replaced, and once it is done. */
  readonly first: Bounds;
  readonly during: readonly Bounds[];
  readonly later?: Bounds;
  /** Its replicas and its pods' revision in the end, and the executor's writes to it. */
  readonly ends: readonly [replicas: number, revision: string, writes: number];
}

const scaled: readonly Scaled[] = [
  { name: "grows", first: [2, 4], during: [[4, 4]], ends: [4, after, 1] },
  { name: "shrinks", first: [4, 4], during: [[1, 2]], ends: [2, after, 1] },
  {
    name: "both",
    first: [2, 6],
    during: [
      [5, 6],
      [1, 3],
      [4, 6],
    ],
    ends: [4, after, 1],
  },
  { name: "in-order", kind: "StatefulSet", first: [2, 4], during: [[4, 4]], ends: [4, after, 1] },
  { name: "later", first: [2, 4], during: [], later: [4, 4], ends: [4, after, 1] },
  { name: "breaks", breaks: true, first: [2, 4], during: [[4, 4]], ends: [4, before, 2] },
];

/** Its manifest names no replicas, as it should where an autoscaler sets them. */
function describeWorkload({ name, kind = "Deployment", breaks }: Scaled): Workload {
  const labels = { "istio.io/rev": before, ...(breaks === true ? { "bed.meshroll.dev/breaks-on": after } : {}) };
  const annotations = { "bed.meshroll.dev/ready-after": "8s" };
  return { namespace: "shop", name, kind, labels, annotations, spec: { replicas: undefined } };
}

/** Without metrics an autoscaler still keeps its bounds. */
function describeAutoscaler({ name, kind = "Deployment" }: Scaled, [minReplicas, maxReplicas]: Bounds): string {
  const at = { stabilizationWindowSeconds: 0 };
  const spec = {
    scaleTargetRef: { apiVersion: "apps/v1", kind, name },
    minReplicas,
    maxReplicas,
    behavior: { scaleUp: at, scaleDown: at },
  };
  return stringify({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { namespace: "shop", name },
    spec,
  });
}

function fail(name: string): never {
  throw new Error(`there is no ${name}`);
}

interface Listed {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  };
  readonly status: { readonly readyReplicas?: number; readonly updatedReplicas?: number };
}

describe("workloads that a real HorizontalPodAutoscaler scales while they move", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const bed = (): OwnCluster => {
    if (cluster === undefined) throw new Error("no cluster");
    return cluster;
  };
  const inShop = (...args: readonly string[]) => bed().kubectl(["-n", "shop", ...args]);
  const setBounds = (all: readonly (readonly [Scaled, Bounds])[]) =>
    bed().kubectl(["apply", "-f", "-"], all.map(([each, bounds]) => describeAutoscaler(each, bounds)).join("---\n"));
  const list = (): ReadonlyMap<string, Listed> => {
    const { items } = JSON.parse(inShop("get", "deployments,statefulsets", "-o", "json")) as {
      items: readonly Listed[];
    };
    return new Map(items.map((each) => [each.metadata.name, each]));
  };
  /** Waits until each has a number of replicas between its bounds; `isWhole`: and all of them are ready and new. */
  const untilWithin = async (all: readonly (readonly [Scaled, Bounds])[], isWhole: boolean) =>
    fleet?.until(`${all.map(([{ name }]) => name).join()} are scaled`, () => {
      const listed = list();
      return all.every(([{ name }, [min, max]]) => {
        const { spec, status } = listed.get(name) ?? fail(name);
        const isFull = status.readyReplicas === spec.replicas && status.updatedReplicas === spec.replicas;
        return min <= spec.replicas && spec.replicas <= max && (isFull || !isWhole);
      });
    });
  /** Accepted writes to it: of the executor's moves, of its records, and of the autoscaler. */
  const listWrites = ({ name }: Scaled, isMeant: (entry: AuditEntry) => boolean) =>
    readAudit(bed()).filter(
      (entry) => entry.objectRef?.name === name && entry.responseStatus?.code === 200 && isMeant(entry),
    );
  const isOurs = ({ user, verb }: AuditEntry) => user.username.endsWith(":meshroll-executor") && verb === "patch";
  const isRecord = ({ requestURI }: AuditEntry) => requestURI.includes("fieldManager=meshroll-record");
  const isMove = (entry: AuditEntry) => isOurs(entry) && !isRecord(entry);
  const isScale = ({ user, objectRef }: AuditEntry) =>
    user.username.endsWith(":horizontal-pod-autoscaler") && objectRef?.subresource === "scale";

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding), 5, ["horizontal-pod-autoscaler-controller"]);
    await startMesh(bed(), await findPrograms(istioModule, finding), [before, after]);
    createWorkloads(bed(), { shop: {} }, scaled.map(describeWorkload));
    fleet = await ClusterFleet.open(bed(), { "rollouts.yml": file(before), "meshroll.yml": settings });
    const first = scaled.map((each) => [each, each.first] as const);
    setBounds(first);
    await untilWithin(first, true);
    await fleet.merge({ "rollouts.yml": file(after) });
    await fleet.until("they move", () => {
      const revisions = [...list().values()].map(({ spec }) => spec.template.metadata.labels["istio.io/rev"]);
      return revisions.every((each) => each === after);
    });
    for (const turn of [0, 1, 2]) {
      const now = scaled.flatMap((each) => {
        const bounds = each.during[turn];
        return bounds === undefined ? [] : [[each, bounds] as const];
      });
      setBounds(now);
      await untilWithin(now, false);
    }
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it("the run ends, and skips only what breaks", async () => {
    const run = await fleet?.untilRunEnds();
    const skipped = run?.outcome?.skipped.map(({ workload, code }) => `${workload} ${code}`);
    expect([run?.outcome?.migrated, skipped]).toEqual([5, ["shop/Deployment/breaks ReadinessTimeout"]]);
  });

  it.each(scaled)("$name ends with $ends", async ({ ends, ...each }) => {
    const [replicas, revision, writes] = ends;
    const whole = { ...each, ends };
    if (each.later !== undefined) setBounds([[whole, each.later]]);
    await untilWithin([[whole, [replicas, replicas]]], true);
    expect([readInjected(bed(), { namespace: "shop", name: each.name }), listWrites(whole, isMove).length]).toEqual([
      revision,
      writes,
    ]);
  });

  it.each(scaled.filter(({ during }) => during.length > 0))(
    "$name was scaled by the autoscaler between its move and its end",
    (each) => {
      const [moved] = listWrites(each, isMove);
      const ended = each.breaks === true ? listWrites(each, isMove)[1] : listWrites(each, isRecord)[0];
      const times = listWrites(each, isScale).map(({ requestReceivedTimestamp }) => requestReceivedTimestamp);
      const between = times.filter(
        (at) => at > (moved?.requestReceivedTimestamp ?? "") && at < (ended?.requestReceivedTimestamp ?? ""),
      );
      expect(between.length).toBeGreaterThanOrEqual(each.during.length);
    },
  );

  it("no write of the executor names replicas, and all are migrated still", async () => {
    const bodies = scaled.flatMap((each) => listWrites(each, isOurs).map(({ requestObject }) => requestObject));
    expect(bodies.length).toBeGreaterThan(scaled.length);
    expect(bodies.filter((body) => JSON.stringify(body).includes('"replicas"'))).toEqual([]);
    const listed = await runCli(["get", "workloads", "-o", "json"], {
      env: fleet?.env ?? {},
      cwd: fleet?.folder ?? "",
    });
    const { items } = JSON.parse(listed.stdout) as { items: readonly { workload: string; state: string }[] };
    const others = items.filter(({ state }) => state !== "ok").map(({ workload }) => workload);
    expect(others).toEqual(["shop/Deployment/breaks"]);
  });
});
