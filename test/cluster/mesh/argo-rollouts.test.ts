import { printText } from "#libs/wording";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { readReasons } from "../fleet/read-events.ts";
import { createWorkloads, readInjected } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { argoModule, istioModule, kubeModule } from "../programs/modules.ts";
import { type ArgoRollout, createRollouts, describeServices, promote, startArgo } from "./start-argo.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
// Some fail on purpose, for which the built-in gate would stop the run.
const settings = [
  "defaults:",
  "  batch: { batchSize: 20, delayBetweenBatches: 0s, readinessTimeout: 15s, failurePolicy: ContinueOnError }",
  "  gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]",
].join("\n");
const labels = { "istio.io/rev": before };
const breaks = { ...labels, "bed.meshroll.dev/breaks-on": after };
const canary = (...steps: readonly object[]) => ({ canary: steps.length === 0 ? {} : { steps } });
const blueGreen = (app: string, more: object = {}) => ({
  blueGreen: { activeService: `${app}-active`, previewService: `${app}-preview`, ...more },
});

interface Case extends ArgoRollout {
  /** The revisions of its pods when the run is over. */
  readonly ends: string;
  /** Writes of the executor to it, without those that only record an arrival. */
  readonly writes: number;
  /** The code with which the run skips it; absent when it is migrated. */
  readonly skipped?: string;
  /** Reasons of its Events, in order. */
  readonly events: readonly string[];
}

const namespace = "argo";
const migrated = { ends: after, writes: 1, events: ["RevisionMigrating", "RevisionMigrated"] } as const;
const held = {
  ends: `${before}+${after}`,
  writes: 1,
  skipped: "AwaitsPromotion",
  events: ["RevisionMigrating", "RevisionMigrationSkipped"],
} as const;
const failed = { ends: before, writes: 2, events: ["RevisionMigrating", "RevisionMigrationFailed"] } as const;

/** An analysis whose only measurement cannot be taken: nothing listens there. */
const analysis = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "AnalysisTemplate",
  metadata: { namespace, name: "unreachable" },
  spec: {
    metrics: [
      {
        name: "errors",
        consecutiveErrorLimit: 0,
        successCondition: "result == 0",
        provider: { web: { url: "http://127.0.0.1:1/errors", jsonPath: "{$.count}", timeoutSeconds: 1 } },
      },
    ],
  },
};

const rollouts: readonly Case[] = [
  { namespace, name: "plain", replicas: 3, labels, strategy: canary(), ...migrated },
  { namespace: "labelled", name: "restarted", strategy: canary(), ...migrated },
  {
    namespace,
    name: "paced",
    labels,
    // Longer than readinessTimeout.
    strategy: canary({ setWeight: 50 }, { pause: { duration: "25s" } }),
    ...migrated,
  },
  // The old pods are kept for thirty seconds after the switch.
  { namespace, name: "blue", labels, strategy: blueGreen("blue"), ...migrated },
  { namespace, name: "held", labels, strategy: canary({ setWeight: 50 }, { pause: {} }), ...held },
  {
    namespace,
    name: "preview",
    labels,
    strategy: blueGreen("preview", { autoPromotionEnabled: false }),
    ...held,
  },
  { namespace, name: "breaks", labels: breaks, strategy: canary(), ...failed, skipped: "ReadinessTimeout" },
  {
    namespace,
    name: "doubted",
    labels,
    strategy: canary({ setWeight: 50 }, { analysis: { templates: [{ templateName: "unreachable" }] } }),
    ...failed,
    skipped: "RolloutDegraded",
  },
  {
    namespace,
    name: "paused",
    labels,
    strategy: canary(),
    ends: before,
    writes: 0,
    skipped: "PausedByOwner",
    events: ["RevisionMigrationSkipped"],
  },
  {
    namespace,
    name: "referring",
    strategy: canary(),
    spec: {
      selector: { matchLabels: { app: "referring" } },
      template: undefined,
      workloadRef: { apiVersion: "apps/v1", kind: "Deployment", name: "referring" },
    },
    ends: before,
    writes: 0,
    skipped: "TemplateElsewhere",
    events: ["RevisionMigrationSkipped"],
  },
];

/** Accepted writes of the executor to the Rollout, without those that only record an arrival. */
function countWrites(cluster: OwnCluster, { namespace: place, name }: ArgoRollout): number {
  return readAudit(cluster).filter(({ user, verb, objectRef, responseStatus, requestURI }) => {
    const isOurs = user.username.endsWith(":meshroll-executor") && verb === "patch" && responseStatus?.code === 200;
    const isMove = isOurs && !requestURI.includes("fieldManager=meshroll-record");
    return isMove && objectRef?.resource === "rollouts" && objectRef.namespace === place && objectRef.name === name;
  }).length;
}

describe("Argo Rollouts under their own controller, with two real istiods", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const skipped = new Map<string, { readonly code: string; readonly message: string }>();
  const need = () => {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    return { cluster, fleet };
  };

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    startArgo(cluster, await findPrograms(argoModule, finding));
    createWorkloads(cluster, { [namespace]: {}, labelled: labels }, [
      { namespace, name: "web", labels },
      { namespace, name: "referring", replicas: 0, labels },
    ]);
    const services = ["blue", "preview"].flatMap((app) => describeServices(namespace, app));
    createRollouts(cluster, rollouts, [...services, analysis]);
    const pause = ["rollouts.argoproj.io", "paused", "--type=merge", "-p", '{"spec":{"paused":true}}'];
    cluster.kubectl(["-n", namespace, "patch", ...pause]);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settings });
    await fleet.merge({ "rollouts.yml": file(after) });
    // Pauses, kept pods and waits for owners come one after the other.
    const run = await fleet.untilRunEnds(1, 240_000);
    for (const { workload, code, message } of run.outcome?.skipped ?? [])
      skipped.set(workload, { code, message: printText(message) });
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(rollouts)("$namespace/$name: $ends after $writes writes, $skipped", (each) => {
    const bed = need().cluster;
    const code = skipped.get(`${each.namespace}/Rollout/${each.name}`)?.code;
    expect([readInjected(bed, each), countWrites(bed, each), code]).toEqual([each.ends, each.writes, each.skipped]);
  });

  it.each(rollouts)("kubectl describe shows the Events of $name: $events", async ({ events, ...each }) => {
    const { cluster: bed, fleet: here } = need();
    const asked = { namespace: each.namespace, name: each.name, kind: "Rollout" } as const;
    await here.until("the last Event is there", () => readReasons(bed, asked).length >= events.length);
    expect(readReasons(bed, asked)).toEqual(events);
    const described = bed.kubectl(["-n", each.namespace, "describe", "rollouts.argoproj.io", each.name]);
    for (const reason of events) expect(described).toMatch(new RegExp(`${reason} .*meshroll.dev/executor`, "u"));
  });

  it("says what holds or failed each in Argo's words", () => {
    const say = (name: string) => skipped.get(`${namespace}/Rollout/${name}`)?.message;
    expect(say("held")).toContain("paused at step 2 of 2: kubectl argo rollouts promote held -n argo");
    expect(say("preview")).toContain("paused before promotion: kubectl argo rollouts promote preview -n argo");
    expect(say("doubted")).toMatch(
      /^RolloutDegraded: RolloutAborted: Rollout aborted update to revision 2.*analysis/iu,
    );
    expect(say("breaks")).toMatch(/^ReadinessTimeout: [a-z-]+ exited 1/u);
    expect(say("referring")).toContain("its template is that of Deployment/referring");
    expect(skipped.get(`${namespace}/Deployment/referring`)?.code).toBe("ManagedByRollout");
  });

  it("migrates what its owner promotes after the run; a rollback waits for no promotion of what it takes back", async () => {
    const { cluster: bed, fleet: here } = need();
    const [kept, promoted] = ["preview", "held"].map((name) => ({ namespace, name }));
    if (kept === undefined || promoted === undefined) throw new Error("no Rollouts");
    promote(bed, promoted);
    await here.until("the promoted one runs the target", () => readInjected(bed, promoted) === after);
    await here.merge({ "rollouts.yml": file(before) });
    const names = ["plain", "blue", "preview", "paced"].map((name) => ({ namespace, name }));
    await here.until("all are back", () => names.every((each) => readInjected(bed, each) === before));
    expect(countWrites(bed, { ...kept, strategy: {} })).toBe(2);
    // It was through, so to Argo this is one more update, by the owner's steps.
    const run = await here.untilRunEnds(2);
    expect(run.outcome?.skipped.map(({ workload, code }) => `${workload} ${code}`)).toContain(
      "argo/Rollout/held AwaitsPromotion",
    );
    promote(bed, promoted);
    await here.until("it is back as well", () => readInjected(bed, promoted) === before);
  });

  it("nothing was refused by the shipped RBAC and admission policies", () => {
    const refused = readAudit(need().cluster).filter(({ user, responseStatus }) => {
      return user.username.endsWith(":meshroll-executor") && (responseStatus?.code ?? 0) === 403;
    });
    expect(refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`)).toEqual([]);
  });
});
