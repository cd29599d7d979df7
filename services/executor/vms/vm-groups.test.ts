import { createModel, createStepClock, fakeCluster } from "#fakes/kube";
import { createFakeVms } from "#fakes/vms";
import { builtInSettings } from "#libs/campaign";
import type { VmReport, Workload } from "#libs/fleet";
import { describe, expect, test } from "vitest";

import { createVmGroups } from "./vm-groups.ts";

const group = { cluster: "one", namespace: "db", name: "ledger" };
interface Ground {
  /** VMs that report, by name, and the revision that they run. */
  readonly vms: Readonly<Record<string, string>>;
  /** What the group's object asks for. */
  readonly asks?: string;
  /** Addresses with a WorkloadEntry; default: those of the VMs. */
  readonly entries?: readonly string[];
}

async function open({ vms, asks, entries = Object.keys(vms) }: Ground) {
  const clock = createStepClock();
  const model = createModel({ clock });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const annotations = asks === undefined ? {} : { "meshroll.dev/revision": asks };
  model.addWorkloadGroup({ ns: "db", name: "ledger", annotations });
  for (const address of entries) model.addWorkloadEntry({ ns: "db", name: address, address, healthy: true });
  const real = { now: () => clock.now(), monotonic: () => clock.now(), elapsed: () => clock.now() };
  const played = createFakeVms(real);
  const cluster = fakeCluster(model, "one");
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const fleet = played.open("one");
  await fleet.start(() => undefined, stop.signal);
  const report = (name: string, revision: string, change: Partial<VmReport> = {}): void =>
    played.report(
      { group, name },
      {
        at: new Date(clock.now()).toISOString(),
        agent: "0.1.0",
        address: name,
        tag: revision,
        revision,
        attempted: revision,
        inProgress: false,
        ready: true,
        code: "UpToDate",
        message: "",
        ...change,
      },
    );
  clock.advance(1000);
  for (const [name, revision] of Object.entries(vms)) report(name, revision);
  const settings = () => builtInSettings.vms;
  const groups = createVmGroups({ cluster, fleet, settings, clock: real });
  const see = (): Workload | undefined => groups.cluster.view.namespaces.get("db")?.workloads[0];
  groups.refresh();
  return { clock, model, played, fleet, report, groups, see };
}

const figures = (workload: Workload | undefined) => {
  const { replicas, updated, available, pods, vms } = workload ?? {};
  return { replicas, updated, available, pods, vms };
};

describe("a WorkloadGroup with the figures of its VMs", () => {
  test("its VMs are what pods are to a Deployment", async () => {
    const { see } = await open({ vms: { a: "new", b: "old", c: "old" }, asks: "new" });
    expect(figures(see())).toEqual({
      replicas: 3,
      updated: 1,
      available: 3,
      pods: [
        { revision: "new", count: 1, ready: 1 },
        { revision: "old", count: 2, ready: 2 },
      ],
      vms: { allowed: 1, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 2, absent: 0 },
    });
  });

  test("a group that asks for nothing has the revision that most of its VMs run, and is not written", async () => {
    const { see, groups } = await open({ vms: { a: "old", b: "old", c: "new" } });
    expect(see()?.template.labels).toEqual({ "istio.io/rev": "old" });
    expect(groups.list().map(({ isWritten }) => isWritten)).toEqual([false]);
  });

  test("a VM that said nothing for an hour is no member, until it reports again and waits for its turn", async () => {
    const { clock, groups, see, report } = await open({ vms: { a: "new", b: "old" }, asks: "new" });
    for (let minutes = 0; minutes < 62; minutes += 1) {
      clock.advance(60_000);
      report("a", "new");
      groups.refresh();
    }
    expect(see()).toMatchObject({ replicas: 1, vms: { absent: 1, outdated: 0 } });
    clock.advance(1000);
    report("b", "old");
    groups.refresh();
    expect(see()).toMatchObject({ replicas: 2, vms: { absent: 0, outdated: 1 } });
  });

  test("a registered VM that no agent speaks for is unknown until reports came for ten minutes: the bus may have been wiped", async () => {
    const { clock, groups, see, report } = await open({ vms: { a: "new" }, entries: ["a", "b", "c"], asks: "new" });
    expect(see()).toMatchObject({ replicas: 3, vms: { unknown: 2 } });
    for (let minutes = 0; minutes < 11; minutes += 1) {
      clock.advance(60_000);
      report("a", "new");
      groups.refresh();
    }
    expect(see()).toMatchObject({ replicas: 1, vms: { unknown: 0 } });
  });

  test("while the list of VMs is not fresh nothing is known of them, and none of them is gone", async () => {
    const { clock, groups, played, see } = await open({ vms: { a: "old", b: "old" }, asks: "old" });
    played.disconnect();
    clock.advance(70_000);
    groups.refresh();
    expect(see()).toMatchObject({ replicas: 2, available: 0, vms: { unknown: 2 } });
    expect(groups.problems()).toHaveLength(1);
  });

  test("it is the same object while no figure changed, and refresh names the namespaces in which one did", async () => {
    const { clock, groups, see, report } = await open({ vms: { a: "old" }, asks: "old" });
    const before = see();
    clock.advance(30_000);
    report("a", "old");
    expect(groups.refresh()).toEqual([]);
    expect(see()).toBe(before);
    report("a", "old", { ready: false, at: new Date(clock.now() + 1).toISOString() });
    expect(groups.refresh()).toEqual(["db"]);
    expect(see()).not.toBe(before);
  });

  test("a change that a reader of another group found is told with the next refresh", async () => {
    const { groups, report, model } = await open({ vms: { a: "old" }, asks: "old" });
    model.addWorkloadGroup({ ns: "web", name: "front" });
    await Promise.resolve();
    groups.refresh();
    report("a", "old", { ready: false, at: "2026-01-01T01:00:00.000Z" });
    model.ownerApply({ namespace: "web", kind: "WorkloadGroup", name: "front" }, { annotations: { team: "web" } });
    await Promise.resolve();
    expect(groups.cluster.view.namespaces.get("web")?.workloads).toHaveLength(1);
    expect(groups.refresh()).toContain("db");
  });

  test("VMs that name a group which is not there are a problem", async () => {
    const { played, groups, report } = await open({ vms: { a: "old" }, asks: "old" });
    played.add({ group: { ...group, name: "other" }, name: "x" });
    report("a", "old");
    groups.refresh();
    expect(groups.problems()).toEqual(["VMs report as members of db/other: this cluster has no such WorkloadGroup"]);
  });

  test("why its move failed is said by the VM that gave up first", async () => {
    const { groups, report, fleet } = await open({ vms: { a: "old", b: "old" }, asks: "new" });
    await fleet.setTag({ group, name: "a" }, { revision: "new", at: 0 });
    await fleet.setTag({ group, name: "b" }, { revision: "new", at: 0 });
    report("b", "old", { tag: "new", code: "Quarantined", message: "new was tried and given up" });
    groups.refresh();
    const seen = await groups.cluster.readRollout({ namespace: "db", kind: "WorkloadGroup", name: "ledger" });
    const b = { name: "b", code: "Quarantined", message: "new was tried and given up" };
    const a = { name: "a", code: "UpToDate", message: "" };
    expect(seen).toEqual({ kind: "read", rollout: { pods: [], vms: [b, a] } });
  });
});
