import { afterEach, beforeEach, expect, it } from "vitest";

import type { Workload, WorkloadRef } from "#libs/fleet";

import type { Change, Cluster } from "../../port.ts";

type Annotations = Readonly<Record<string, string | null>>;

/** A started cluster with one WorkloadGroup, that has no annotation of ours, and no WorkloadEntry. */
export interface VmGround {
  readonly cluster: Pick<Cluster, "patchWorkload" | "readRollout" | "view">;
  readonly ref: WorkloadRef;
  /** Writes as the owner, with field manager `kubectl-annotate`; null removes a key. */
  readonly annotate: (annotations: Annotations) => void;
  /** Makes a WorkloadEntry next to the group, or changes what its probe found; undefined = it has none. */
  readonly register: (name: string, address: string, healthy: boolean | undefined) => void;
  readonly unregister: (name: string) => void;
  /** Resolves when the condition holds; checked after every change. */
  readonly until: (condition: () => boolean) => Promise<void>;
  close(): Promise<void>;
}

const [OLD, NEW] = ["1-29", "1-31"];
const revisionKey = "meshroll.dev/revision";
const runKey = "meshroll.dev/run";
const run = "0123456789ab 1-31";
const theirs = { name: "kubectl-annotate", operation: "Update" };
const ours = { name: "meshroll", operation: "Update" };

/** WorkloadGroups and their entries; the same on the model, behind HTTP, and on a real API server. */
export function describeVmGroups(make: () => Promise<VmGround>): void {
  let ground: VmGround | undefined;
  const find = () => {
    if (ground === undefined) throw new Error("the ground is there only within a test");
    return ground;
  };
  const see = (): Workload | undefined => {
    const { cluster, ref } = find();
    return cluster.view.namespaces
      .get(ref.namespace)
      ?.workloads.find(({ kind, name }) => kind === ref.kind && name === ref.name);
  };
  const until = (condition: () => boolean) => find().until(condition);
  const entries = () => Object.fromEntries(find().cluster.view.entriesOf(find().ref.namespace));
  const asks = (revision: string | undefined) => see()?.template.labels["istio.io/rev"] === revision;
  const write = (change: Omit<Change, "resourceVersion">) => {
    const { cluster, ref } = find();
    return cluster.patchWorkload(ref, { resourceVersion: see()?.resourceVersion ?? "", ...change });
  };
  beforeEach(async () => {
    ground = await make();
    await until(() => see() !== undefined);
  });
  afterEach(async () => {
    await ground?.close();
    ground = undefined;
  });

  it("a group is a workload without pods, that asks for nothing until it is annotated", async () => {
    expect(see()).toMatchObject({
      kind: "WorkloadGroup",
      generation: 0,
      observedGeneration: 0,
      replicas: 0,
      pods: [],
    });
    expect(see()?.template).toEqual({ labels: {}, annotations: {}, hostNetwork: false, isVms: true });
    expect(see()?.annotations).toEqual({});
    expect(see()?.revisionManager).toBeUndefined();
    expect(await find().cluster.readRollout(find().ref)).toEqual({ kind: "read", rollout: { pods: [] } });
  });

  it("a move writes annotations as our field manager, and nothing of the owner's template; a null takes them back", async () => {
    const { resourceVersion } = see() ?? {};
    find().annotate({ "example.com/team": "shop" });
    await until(() => see()?.resourceVersion !== resourceVersion);
    const previous = { "meshroll.dev/previous": "{}", [runKey]: run };
    const template = { labels: { "istio.io/rev": NEW }, annotations: { "meshroll.dev/restarted-for": NEW } };
    expect(await write({ annotations: previous, template })).toMatchObject({
      kind: "written",
    });
    await until(() => asks(NEW));
    expect(see()).toMatchObject({
      template: { labels: { "istio.io/rev": NEW }, annotations: { "meshroll.dev/restarted-for": NEW }, isVms: true },
      revisionManager: ours,
    });
    expect(see()?.annotations).toEqual(previous);
    expect(see()?.marksBy).toBeUndefined();
    expect(see()?.times).toEqual({ written: expect.any(Number) });
    const nothing = { labels: { "istio.io/rev": null }, annotations: { "meshroll.dev/restarted-for": null } };
    const undone = await write({ annotations: { "meshroll.dev/previous": null, [runKey]: null }, template: nothing });
    expect(undone).toMatchObject({ kind: "written" });
    await until(() => asks(undefined));
    expect(see()?.template).toEqual({ labels: {}, annotations: {}, hostNetwork: false, isVms: true });
    expect(see()?.annotations).toEqual({});
    expect(see()?.revisionManager).toBeUndefined();
  });

  it("another manager's revision is its own, and when it was written is a deploy", async () => {
    await write({ template: { labels: { "istio.io/rev": NEW } } });
    await until(() => asks(NEW));
    find().annotate({ [revisionKey]: OLD, [runKey]: run });
    await until(() => asks(OLD));
    expect(see()).toMatchObject({
      revisionManager: theirs,
      times: { deployed: expect.any(Number) },
      marksBy: { [runKey]: theirs.name },
    });
    expect(find().cluster.view.templateOf(find().ref)).toEqual({ deployedAt: see()?.times?.deployed });
  });

  it("a record moves nothing, and is under a field manager of its own", async () => {
    await write({ isRecord: true, annotations: { "meshroll.dev/arrived": run } });
    await until(() => see()?.annotations["meshroll.dev/arrived"] === run);
    expect([see()?.times, see()?.marksBy]).toEqual([undefined, undefined]);
  });

  it("an object that changed since is a conflict, and one that is gone is gone", async () => {
    const { resourceVersion = "" } = see() ?? {};
    find().annotate({ "example.com/team": "checkout" });
    await until(() => see()?.resourceVersion !== resourceVersion);
    const { cluster, ref } = find();
    const change = { resourceVersion, template: { labels: { "istio.io/rev": NEW } } };
    expect(await cluster.patchWorkload(ref, change)).toEqual({ kind: "conflict" });
    expect(await cluster.patchWorkload({ ...ref, name: "other" }, change)).toEqual({ kind: "gone" });
  });

  it("entries are known by address and health; of two with one address the one that is not healthy counts", async () => {
    const { register, unregister } = find();
    register("a", "10.0.0.1", true);
    register("b", "10.0.0.2", undefined);
    await until(() => Object.keys(entries()).length === 2);
    expect(entries()).toEqual({ "10.0.0.1": true, "10.0.0.2": true });
    register("c", "10.0.0.2", false);
    await until(() => entries()["10.0.0.2"] === false);
    register("a", "10.0.0.1", false);
    await until(() => entries()["10.0.0.1"] === false);
    unregister("c");
    await until(() => entries()["10.0.0.2"] === true);
    unregister("a");
    unregister("b");
    await until(() => Object.keys(entries()).length === 0);
  });
}
