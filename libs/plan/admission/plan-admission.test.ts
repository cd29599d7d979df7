import { describe, expect, test } from "vitest";

import type { TemplateFacts, Workload } from "#libs/fleet";
import { failed, makeCluster, makeMigrated, makeRun, makeWorkload, runId, sha } from "#test/world/build";
import { type ExecutorViewChange, makeExecutorView, openRunLedger } from "#test/world/executor";

import type { ActiveStop } from "../stops/index.ts";
import { planAdmission } from "./plan-admission.ts";

const day = 86_400_000;
const now = Date.parse("2026-11-19T12:00:00Z");
const [web, api] = [makeWorkload("shop/web"), makeWorkload("shop/api")];
const base = sha("base");
const webMoved = makeMigrated(web, "new", runId);
/** Its owner's deploy set the old label again; our annotations stay. */
const webPutBack: Workload = { ...web, annotations: webMoved.annotations };
const unread = { hasUnreadRun: true } as const;
const noWave = { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), base, { clusters: {} }) } }) };
const over = { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), base, { state: "done" }) } }) };

function stop(scope: string): ActiveStop {
  const at = "2026-11-19T12:30:00.000Z";
  return { id: "s", scope, strength: "move", who: "ana", why: "x", at, from: "ledger" } as ActiveStop;
}

const change = { pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" } as const;
const undoable = { ledger: openRunLedger({ runs: { [runId]: makeRun(sha("head"), base, { changes: [change] }) } }) };

/** `rollback --now` of the run, recorded in the ledger. */
const rollback: ActiveStop = { ...stop(`run/${runId}`), id: "r", revertTo: base, now: true } as ActiveStop;

interface Case {
  readonly name: string;
  readonly workloads: readonly Workload[];
  readonly view?: Omit<ExecutorViewChange, "workloads">;
  readonly before?: Readonly<Record<string, string>>;
  /** By name of the workload; default: one template, deployed 20 days ago. */
  readonly templates?: Readonly<Record<string, TemplateFacts>>;
  readonly want: Readonly<Record<string, string>>;
}

const old: TemplateFacts = { hash: "h1", deployedAt: now - 20 * day };

function plan({ workloads, view = {}, before = {}, templates = {} }: Case): Readonly<Record<string, string>> {
  const cluster = view.cluster ?? makeCluster("one", workloads, { facts: { serverAt: now } });
  const { snapshot, judged } = makeExecutorView({ ...view, cluster, workloads });
  const templateOf = ({ name }: { readonly name: string }) => templates[name] ?? old;
  return planAdmission({ snapshot, minDeploymentAge: 14 * day, workloads: judged, before, templateOf });
}

const oldHere = { revision: "old" };
const newHere = { revision: "new" };
const withWeb = { revision: "new", "Deployment.web": "h1" };

const deploys = [
  { name: "once its wave is open", more: {}, want: withWeb },
  { name: "not during a pause", more: { stops: [stop("all")] }, want: oldHere },
  { name: "not before its wave", more: noWave, want: oldHere },
];
const onDeploy = deploys.map(({ name, more, want }): Case => ({
  name: `strategy OnDeploy: new pods are what moves a workload, ${name}`,
  workloads: [web, api],
  view: { settings: { strategy: "OnDeploy" }, ...more },
  before: oldHere,
  templates: { api: { hash: "h2", deployedAt: now - day } },
  want,
}));

/** The six rules for labelling new pods (rules 11.1), in their order. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  "11.1 a rollback that is in force goes first": [
    {
      name: "new pods get the earlier revision, even from a manifest of a minute ago",
      workloads: [webMoved],
      view: { ...undoable, stops: [rollback] },
      before: newHere,
      templates: { web: { hash: "h2", deployedAt: now - 60_000 } },
      want: { revision: "old", "Deployment.web": "h2" },
    },
    {
      name: "a pause of people does not hold it",
      workloads: [webMoved],
      view: { ...undoable, stops: [rollback, stop("all")] },
      before: newHere,
      want: { revision: "old", "Deployment.web": "h1" },
    },
    {
      name: "a stop made with kubectl holds it, and the map stays",
      workloads: [webMoved],
      view: { ...undoable, stops: [rollback, { ...stop("cluster/one"), id: "kubectl", from: "cluster" }] },
      before: newHere,
      want: newHere,
    },
    {
      name: "the map stays while no injector serves the earlier revision",
      workloads: [webMoved],
      view: {
        ...undoable,
        stops: [rollback],
        cluster: makeCluster("one", [webMoved], {
          facts: { serverAt: now, revisions: [{ name: "new", webhook: true, istiod: "ready" }] },
        }),
      },
      before: newHere,
      want: newHere,
    },
  ],
  "11.1 a template that meshroll restarted has its revision already": [
    {
      name: "a template with meshroll's restart annotation is not labelled",
      workloads: [
        webMoved,
        { ...api, template: { ...api.template, annotations: { "meshroll.dev/restarted-for": "old" } } },
      ],
      before: newHere,
      want: newHere,
    },
  ],
  "11.1 a workload that failed on the revision keeps its old one": [
    {
      name: "a workload with a failure annotation for the revision is not labelled, the others are",
      workloads: [webMoved, failed(api, "new", runId)],
      view: over,
      before: newHere,
      want: newHere,
    },
    {
      name: "a namespace whose only workload failed keeps its old revision",
      workloads: [failed(web, "new", runId)],
      view: over,
      before: oldHere,
      want: oldHere,
    },
  ],
  "11.1 a young manifest keeps its own label": [
    { name: "manifest of 20 days: labelled", workloads: [webPutBack], view: over, before: newHere, want: withWeb },
    {
      name: "manifest of exactly 14 days: labelled",
      workloads: [webPutBack],
      view: over,
      before: newHere,
      templates: { web: { hash: "h1", deployedAt: now - 14 * day } },
      want: withWeb,
    },
    {
      name: "manifest 1 ms younger than 14 days: not labelled, and its earlier entry is removed",
      workloads: [webPutBack],
      view: over,
      before: withWeb,
      templates: { web: { hash: "h1", deployedAt: now - 14 * day + 1 } },
      want: newHere,
    },
    {
      name: "manifest of unknown age: not labelled",
      workloads: [webPutBack],
      view: over,
      before: withWeb,
      templates: { web: { hash: "h1" } },
      want: newHere,
    },
    {
      name: "API server without a time: not labelled",
      workloads: [webPutBack],
      view: { ...over, cluster: makeCluster("one", [webPutBack]) },
      before: withWeb,
      want: newHere,
    },
    {
      name: "no running pod to read the template from: the earlier entry stays",
      workloads: [webPutBack],
      view: over,
      before: withWeb,
      templates: { web: { deployedAt: now - 20 * day } },
      want: withWeb,
    },
  ],
  "11.1 an open wave, nothing stopped": [
    {
      name: "one workload has moved: the namespace's other old manifests are labelled",
      workloads: [webMoved, api],
      before: oldHere,
      want: { revision: "new", "Deployment.api": "h1" },
    },
    {
      name: "no workload has moved: the map stays",
      workloads: [web, api],
      before: oldHere,
      want: oldHere,
    },
    ...onDeploy,
    {
      name: "a stop on another cluster holds nothing",
      workloads: [webMoved],
      view: { stops: [stop("cluster/two")] },
      want: newHere,
    },
  ],
  "11.1 otherwise the map stays as the cluster had it last": [
    {
      name: "before the wave the revision stays, and what an owner's hand moved stays there",
      workloads: [webMoved, api],
      view: noWave,
      before: oldHere,
      want: oldHere,
    },
    ...["all", "cluster/one", `run/${runId}`, "bucket/production", "namespace/shop"].map((scope) => ({
      name: `a pause of ${scope}: the map stays`,
      workloads: [webMoved, api],
      view: { stops: [stop(scope)] },
      before: oldHere,
      want: oldHere,
    })),
    {
      name: "under a pause, an entry is removed when its template changes",
      workloads: [webPutBack],
      view: { ...over, stops: [stop("all")] },
      before: withWeb,
      templates: { web: { hash: "h2", deployedAt: now - 20 * day } },
      want: newHere,
    },
    { name: "control is old", workloads: [webMoved], view: { control: "stale" }, before: oldHere, want: oldHere },
    { name: "main is old", workloads: [webMoved], view: { mainAgeMs: 600_001 }, before: oldHere, want: oldHere },
    { name: "main does not parse", workloads: [webMoved], view: { ledger: undefined }, before: oldHere, want: oldHere },
    {
      name: "another installation serves the cluster",
      workloads: [webMoved],
      view: { claim: "other" },
      before: oldHere,
      want: oldHere,
    },
    {
      name: "a change of main has no run yet",
      workloads: [webMoved],
      view: { ledger: openRunLedger({ ahead: [{ order: 2, changes: [] }] }) },
      before: oldHere,
      want: oldHere,
    },
    { name: "the files of a run are not read", workloads: [webMoved], view: unread, before: oldHere, want: oldHere },
    {
      name: "no injector serves the map's revision any more: the map is emptied",
      workloads: [webPutBack],
      view: noWave,
      before: { revision: "gone", "Deployment.web": "h1" },
      want: {},
    },
  ],
};

describe.each(Object.entries(cases))("%s", (_, rows) => {
  test.each(rows)("$name", (row) => {
    expect(plan(row)).toEqual(row.want);
  });
});

describe("a workload whose owner wants another revision is not labelled", () => {
  const label = (labels: Readonly<Record<string, string>>): Workload => ({
    ...web,
    template: { ...web.template, labels },
  });
  const withAnnotation = (key: string, value: string): Workload => ({
    ...web,
    annotations: { ...web.annotations, [key]: value },
  });
  const rows: readonly { readonly name: string; readonly workload: Workload }[] = [
    { name: "a workload with the opt-out annotation", workload: withAnnotation("meshroll.dev/opt-out", "true") },
    { name: "a workload whose label names no revision", workload: label({ "sidecar.istio.io/inject": "true" }) },
  ];
  test.each(rows)("$name", ({ workload }) => {
    const other = { ...webMoved, name: "zoo" };
    expect(plan({ name: "", workloads: [workload, other], view: over, before: newHere, want: {} })).toEqual(newHere);
  });

  test("a label that mutate wrote is treated like any other", () => {
    const written = withAnnotation("meshroll.dev/mutated-at", "2026-11-01T00:00:00Z");
    const workloads = [{ ...written, annotations: { ...webMoved.annotations, ...written.annotations } }];
    expect(plan({ name: "", workloads, view: over, before: newHere, want: {} })).toEqual(withWeb);
  });
});

test("what the policy gives by the map is no reason for the map: the plan is the same with and without it", () => {
  const shown = { ...webPutBack, pods: webMoved.pods };
  const [without, told] = [shown, { ...shown, admitted: "new" }].map((each) =>
    plan({ name: "", workloads: [each], view: over, before: withWeb, want: {} }),
  );
  expect([without, told]).toEqual([withWeb, withWeb]);
});

test("the plan for its own result is the same", () => {
  for (const row of Object.values(cases).flat()) {
    const once = plan(row);
    expect(plan({ ...row, before: once })).toEqual(once);
  }
});
