import { describe, expect, test } from "vitest";

import type { TemplateFacts, Workload } from "#libs/fleet";
import { failed, makeCluster, makeMigrated, makeRun, makeWorkload, runId, sha } from "#test/world/build";
import { type ExecutorViewChange, makeExecutorView, openRunLedger } from "#test/world/executor";

import type { ActiveStop } from "../stops/index.ts";
import { groupForAdmission } from "./group-for-admission.ts";
import { planAdmission } from "./plan-admission.ts";

const day = 86_400_000;
const now = Date.parse("2026-11-19T12:00:00Z");
const base = sha("base");

/** The run has no wave that is open here; it is over; it can be rolled back. */
const noWave = { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), base, { clusters: {} }) } }) };
const over = { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), base, { state: "done" }) } }) };
const change = { pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" } as const;
const undoable = {
  ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), base, { changes: [change] }) } }),
};

function makeStop(scope: string): ActiveStop {
  const at = "2026-11-19T12:30:00.000Z";
  return { id: "s", scope, strength: "move", who: "ana", why: "x", at, from: "ledger" } as ActiveStop;
}

/** `rollback --now` of the run, recorded in the ledger. */
const rollback: ActiveStop = { ...makeStop(`run/${runId}`), id: "r", revertTo: base, now: true } as ActiveStop;

/** The workloads of namespace `shop`, and what decides about its map. */
interface MapQuestion {
  readonly workloads: readonly Workload[];
  readonly view?: Omit<ExecutorViewChange, "workloads">;
  readonly before?: Readonly<Record<string, string>>;
  /** Labels of the namespace. */
  readonly labels?: Record<string, string>;
}

const old: TemplateFacts = { hash: "h1", deployedAt: now - 20 * day };

/** The map of the namespace, with 14 days as the least age of a deploy. */
function planMap(question: MapQuestion): Readonly<Record<string, string>> {
  const { workloads, view = {}, before = {}, labels: own = {} } = question;
  const cluster = makeCluster("one", workloads, { facts: { serverAt: now } }, own);
  const { snapshot } = makeExecutorView({ ...view, cluster, workloads });
  const group = groupForAdmission(snapshot.judged, cluster.namespaces).get("shop") ?? [];
  return planAdmission({ snapshot, minDeploymentAge: 14 * day, workloads: group, before, templateOf: () => old });
}

interface Case extends MapQuestion {
  readonly name: string;
  readonly want: Readonly<Record<string, string>>;
}

const everywhere = { revision: "new", unlabelled: "new" };
const labels = { "meshroll.dev/inject": "enabled" };

/** Deployments without a label, whose pods run `old`. */
const [bare, plain] = [withoutLabel(makeWorkload("shop/bare")), withoutLabel(makeWorkload("shop/plain"))];
const bareMoved = makeMigrated(bare, "new", runId);

function withoutLabel(workload: Workload): Workload {
  return { ...workload, template: { ...workload.template, labels: {} } };
}

function running(workload: Workload, revision: string | undefined, change: Partial<Workload> = {}): Workload {
  return { ...workload, pods: [{ ...(revision === undefined ? {} : { revision }), count: 2, ready: 2 }], ...change };
}

/** In a namespace that asks for labels. */
const cases: readonly Case[] = [
  {
    name: "strategy OnDeploy: their owners' deploys bring the revision, so new pods get it with the wave",
    workloads: [bare, plain],
    view: { settings: { strategy: "OnDeploy" } },
    before: { revision: "old", unlabelled: "old" },
    want: everywhere,
  },
  {
    name: "strategy OnDeploy: one that opted out keeps what new pods without a label get",
    workloads: [bare, { ...plain, annotations: { "meshroll.dev/opt-out": "audited" } }],
    view: { settings: { strategy: "OnDeploy" } },
    before: { revision: "old", unlabelled: "old" },
    want: { revision: "new", unlabelled: "old" },
  },
  {
    name: "no pod is in the mesh yet: the first ones get main's revision",
    workloads: [running(bare, undefined), running(plain, undefined)],
    view: over,
    want: { revision: "new", unlabelled: "new" },
  },
  {
    name: "no pod is in the mesh yet, and the wave is not open: they stay outside",
    workloads: [running(bare, undefined)],
    view: noWave,
    want: {},
  },
  {
    name: "all run one revision without any label, and there is no map yet: their next pods get that one",
    workloads: [bare, plain],
    want: { unlabelled: "old" },
  },
  {
    name: "one has moved: the namespace's revision is the new one, and pods without a label keep the old one",
    workloads: [bareMoved, { ...plain, admitted: "old" }],
    before: { revision: "old", unlabelled: "old" },
    want: { revision: "new", unlabelled: "old" },
  },
  {
    name: "all have moved: pods without a label follow",
    workloads: [bareMoved, makeMigrated(plain, "new", runId)],
    before: { revision: "new", unlabelled: "old" },
    want: everywhere,
  },
  {
    name: "one that its owner keeps out runs the old one: it keeps it, and so do pods without a label",
    workloads: [bareMoved, { ...plain, admitted: "old", annotations: { "meshroll.dev/opt-out": "true" } }],
    before: { revision: "new", unlabelled: "old" },
    want: { revision: "new", unlabelled: "old" },
  },
  {
    name: "one that failed has its own label: it holds no one",
    workloads: [bareMoved, failed(makeWorkload("shop/plain"), "new", runId)],
    before: { revision: "new", unlabelled: "old" },
    want: everywhere,
  },
  {
    name: "one without pods holds no one, one whose pods are not seen does",
    workloads: [bareMoved, { ...plain, admitted: "old", pods: [] }],
    before: { revision: "new", unlabelled: "old" },
    want: { revision: "new", unlabelled: "old" },
  },
  {
    name: "a pause keeps what stands there",
    workloads: [bareMoved, makeMigrated(plain, "new", runId)],
    view: { stops: [makeStop("all")] },
    before: { revision: "new", unlabelled: "old" },
    want: { revision: "new", unlabelled: "old" },
  },
  {
    name: "a rollback takes it back at once",
    workloads: [bareMoved, running(plain, "new", { admitted: "new" })],
    view: { ...undoable, stops: [rollback] },
    before: everywhere,
    want: { revision: "old", "Deployment.bare": "h1", unlabelled: "old" },
  },
  {
    name: "nothing serves what stands there any more",
    workloads: [{ ...bare, pods: [] }],
    view: { stops: [makeStop("all")] },
    before: { unlabelled: "gone" },
    want: {},
  },
];

describe("11.2 new pods without a label, in a namespace that asks for one", () => {
  test.each(cases)("$name", (row) => {
    const once = planMap({ ...row, labels });
    expect(once).toEqual(row.want);
    expect(planMap({ ...row, labels, before: once })).toEqual(once);
  });

  test("a namespace that does not ask has no such entry", () => {
    expect(
      planMap({ workloads: [makeMigrated(makeWorkload("shop/web"), "new", runId)], before: { unlabelled: "old" } }),
    ).toEqual({
      revision: "new",
    });
  });
});
