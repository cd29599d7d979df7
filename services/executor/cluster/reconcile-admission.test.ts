import { afterEach, describe, expect, it } from "vitest";

import { createModel, fakeCluster } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import type { Settings } from "#libs/campaign";
import type { AdmissionPolicy, Cluster } from "#libs/kube";
import type { RepositorySnapshot } from "#libs/repository";
import { createChangeSignal, createLogger } from "#libs/runtime";
import { makeSpec, sha } from "#test/world/build";
import { makeExecutorView, openRunLedger } from "#test/world/executor";

import { createTroubles } from "../messages/troubles.ts";
import type { JudgedSnapshot } from "../moves/take-snapshot.ts";
import { reconcileAdmission } from "./reconcile-admission.ts";

const name = "meshroll-admission";
const stops = new AbortController();
let stop = stops;

/** A cluster with one workload, whose pods all run the revision that main wants. */
async function openBench(
  settings: Partial<Settings> = { admission: { minDeploymentAge: 60_000 } },
  policy: AdmissionPolicy["kind"] = "bound",
  change: (cluster: Cluster) => Cluster = (same) => same,
) {
  const clock = createVirtualClock();
  const model = createModel({ clock });
  stop = new AbortController();
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const ref = model.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "new" } });
  const fake = fakeCluster(model, "one", { monotonic: () => clock.monotonic() });
  // The model has no admission policies.
  const policies: { kind: AdmissionPolicy["kind"] } = { kind: policy };
  const cluster = change({ ...fake, findAdmissionPolicy: async () => ({ ...policies, version: "v1.33.1" }) });
  if (change(fake) !== fake) model.addDeployment({ ns: "a-first", name: "web", labels: { "istio.io/rev": "new" } });
  const changes = createChangeSignal(clock);
  await cluster.start(changes.raise, stop.signal);
  const troubles = createTroubles(() => undefined);
  const now = { settings };
  const head = () => makeSpec(sha("head"), 100, now.settings);
  const takeSnapshot = async (): Promise<JudgedSnapshot> => {
    const facts = { ...cluster.view.facts(), mode: "act" as const, problems: [] };
    const seen = { name: "one", facts, namespaces: cluster.view.namespaces, ageMs: 0, fresh: true, batch: undefined };
    const ledger = openRunLedger();
    const view = makeExecutorView({ cluster: { ...seen, batchEndedAt: 0 }, settings: now.settings, ledger });
    return { snapshot: view.snapshot, spec: head(), ledger, judged: view.snapshot.judged, hasRunCommit: false };
  };
  const view = () =>
    ({ main: { head: sha("head") }, specs: new Map([[sha("head"), head()]]) }) as unknown as RepositorySnapshot;
  const waitForChange = async (longestMs: number, signal: AbortSignal) => changes.wait(longestMs, signal);
  const log = createLogger("test", [], "error", () => undefined);
  const known: boolean[] = [];
  const onShown = (isKnown: boolean) => void known.push(isKnown);
  const parts = { cluster, repositorySnapshots: { view }, takeSnapshot, troubles, clock, log, waitForChange, onShown };
  void reconcileAdmission(parts, stop.signal);
  await clock.advance(100);
  const read = async () => {
    const answer = await cluster.readAdmission("shop");
    return answer.kind === "read" ? answer.data : answer.kind;
  };
  const writes = () => model.writes.filter(({ path }) => path.includes(name));
  const see = () => cluster.view.namespaces.get("shop")?.workloads[0];
  return { clock, model, ref, troubles, read, writes, now, see, policies, known };
}

afterEach(() => stop.abort());

describe("11.1 the map of each namespace", () => {
  it("is written once, by our field manager, and not again while it is right", async () => {
    const { clock, read, writes } = await openBench();
    await clock.advance(900_000);
    expect([await read(), writes().length]).toEqual([{ revision: "new" }, 1]);
    expect(writes()[0]).toMatchObject({ fieldManager: "meshroll", contentType: "application/apply-patch+yaml" });
  });

  it("gets the template of a deploy that reaches its minimum age, without any event", async () => {
    const { clock, model, ref, read } = await openBench();
    model.ownerApply(ref, { templateLabels: { "istio.io/rev": "old" } });
    await clock.advance(50_000);
    // No annotation of ours shows a move, and not all pods run the wanted revision: the map stays as it is.
    const young = await read();
    await clock.advance(15_000);
    const hash = model.podsOf(ref)[0]?.hash;
    expect([young, await read()]).toEqual([{ revision: "new" }, { revision: "new", "Deployment.web": hash }]);
  });

  it("is corrected within minutes when another writer changed or deleted it", async () => {
    const { clock, model, read } = await openBench();
    model.setConfigMap("shop", name, { revision: "evil", "Deployment.web": "x" });
    await clock.advance(310_000);
    const changed = await read();
    model.deleteConfigMap("shop", name);
    await clock.advance(310_000);
    expect([changed, await read()]).toEqual([{ revision: "new" }, { revision: "new" }]);
  });

  it("is emptied when main removes the setting while the policy exists", async () => {
    const { clock, read, now } = await openBench();
    now.settings = {};
    await clock.advance(120_000);
    expect(await read()).toEqual({});
  });

  it("is not read where main does not want it and no policy exists", async () => {
    const { clock, model, writes } = await openBench({}, "unbound");
    model.setConfigMap("shop", name, { revision: "old" });
    await clock.advance(300_000);
    expect(writes()).toEqual([]);
  });

  it("tells an API server that serves no such policy from one where it is not applied", async () => {
    const unserved = await openBench(undefined, "unserved");
    const named = unserved.troubles.list().join("\n");
    expect(named).toMatch(
      /^AdmissionPolicyUnserved: the API server of one \(v1\.33\.1\) serves no MutatingAdmissionPolicy/,
    );
    expect(named).toContain("drift: converge brings them back there");
  });

  it("shows what new pods get while map and policy are there, and the label alone without them", async () => {
    const { clock, model, ref, see, now, policies } = await openBench();
    model.ownerApply(ref, { templateLabels: { "istio.io/rev": "old" } });
    await clock.advance(50_000);
    const young = see()?.admitted;
    await clock.advance(15_000);
    const old = see()?.admitted;
    policies.kind = "unbound";
    await clock.advance(15_000);
    const unbound = see()?.admitted;
    policies.kind = "bound";
    await clock.advance(15_000);
    const again = see()?.admitted;
    now.settings = {};
    await clock.advance(120_000);
    expect([young, old, unbound, again, see()?.admitted]).toEqual([undefined, "new", undefined, "new", undefined]);
  });

  it("keeps showing what was read last while maps and policies cannot be read, and says that it is not known", async () => {
    const { clock, model, ref, see, policies, known } = await openBench();
    model.ownerApply(ref, { templateLabels: { "istio.io/rev": "old" } });
    await clock.advance(70_000);
    const before = [see()?.admitted, known.at(-1)];
    policies.kind = "unknown";
    await clock.advance(30_000);
    const unasked = [see()?.admitted, known.at(-1)];
    policies.kind = "bound";
    const answer = model.faults.failAll(503);
    await clock.advance(330_000);
    const unread = [see()?.admitted, known.at(-1)];
    answer();
    await clock.advance(30_000);
    expect([before, unasked, unread]).toEqual([
      ["new", true],
      ["new", true],
      ["new", false],
    ]);
    expect(known.at(-1)).toBe(true);
  });

  it("reports a missing policy, and a missing right", async () => {
    const { clock, model, troubles } = await openBench(undefined, "unbound");
    const allow = model.faults.forbid("configmaps");
    await clock.advance(330_000);
    const named = troubles.list().join("\n");
    allow();
    await clock.advance(30_000);
    expect(named).toContain("AdmissionPolicyMissing: no policy labels new pods in one");
    expect(named).toMatch(/AdmissionUnkept: ConfigMap shop\/meshroll-admission cannot be kept in one \(.*forbidden/);
    expect(troubles.list().join("\n")).not.toContain("AdmissionUnkept");
  });
});

describe("one namespace whose map is not accepted", () => {
  it.each([{ kind: "refused", why: "a webhook says no" } as const, new Error("a bug")])(
    "%s: the others are kept",
    async (fault) => {
      const { writes } = await openBench(undefined, "bound", (cluster) => ({
        ...cluster,
        async applyAdmission(namespace, data) {
          if (namespace !== "a-first") return cluster.applyAdmission(namespace, data);
          if (fault instanceof Error) throw fault;
          return fault;
        },
      }));
      expect(writes().map(({ path }) => /namespaces\/([a-z-]+)/.exec(path)?.[1])).toEqual(["shop"]);
    },
  );
});
