import { afterEach, beforeEach, expect, it } from "vitest";

import type { Workload, WorkloadRef } from "#libs/fleet";
import { lookUp } from "#libs/input";

import type { Change, Cluster } from "../port.ts";

type Annotations = Readonly<Record<string, string | null>>;

/** A started cluster with one workload that two field managers write to. */
export interface MarkGround {
  readonly cluster: Pick<Cluster, "patchWorkload">;
  readonly ref: WorkloadRef;
  /** Writes as the owner, with field manager `kubectl-annotate`; null removes a key. */
  readonly annotate: (annotations: Annotations) => void;
  /** Resolves with the workload once the view shows these annotations. */
  readonly see: (annotations: Annotations) => Promise<Workload>;
  close(): Promise<void>;
}

const run = "0123456789ab 1-31";
const failed = "1-31 ReadinessTimeout 2026-11-20T10:00:00Z";
const runKey = "meshroll.dev/run";
const failedKey = "meshroll.dev/failed";
const arrivedKey = "meshroll.dev/arrived";
const theirs = "kubectl-annotate";

/** Starts a cluster, and waits for conditions on one workload of its view. */
export async function watchWorkload(
  cluster: Cluster,
  { namespace, kind, name }: WorkloadRef,
): Promise<Pick<MarkGround, "see"> & { readonly end: () => void }> {
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  const find = () =>
    cluster.view.namespaces.get(namespace)?.workloads.find((each) => each.kind === kind && each.name === name);
  await cluster.start(() => {
    for (const look of waiting) look();
  }, stop.signal);
  const see = (annotations: Annotations): Promise<Workload> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        if (Object.entries(annotations).some(([key, value]) => (lookUp(found.annotations, key) ?? null) !== value))
          return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { see, end: () => stop.abort() };
}

/** Which field manager wrote our annotations; the same on the model, behind HTTP, and on a real API server. */
export function describeMarks(make: () => Promise<MarkGround>): void {
  let ground: MarkGround | undefined;
  const find = () => {
    if (ground === undefined) throw new Error("the ground is there only within a test");
    return ground;
  };
  const gone = { [runKey]: null, [failedKey]: null, [arrivedKey]: null };
  beforeEach(async () => {
    ground = await make();
    ground.annotate(gone);
  });
  afterEach(async () => {
    await ground?.close();
    ground = undefined;
  });
  /** Writes as meshroll on the newest version, because controllers change the object at any time. */
  const write = async (change: Omit<Change, "resourceVersion">) => {
    const { cluster, ref } = find();
    expect(await cluster.patchWorkload(ref, { resourceVersion: "", ...change })).toMatchObject({ kind: "written" });
  };

  it("3.3 what we wrote is ours, also when another writes the same value again", async () => {
    const { annotate, see } = find();
    const ours = { [runKey]: run, [failedKey]: failed };
    await write({ annotations: ours });
    await write({ isRecord: true, annotations: { [arrivedKey]: run } });
    annotate({ ...ours, "meshroll.dev/opt-out": "yes" });
    expect((await see({ ...ours, [arrivedKey]: run, "meshroll.dev/opt-out": "yes" })).marksBy).toBeUndefined();
    annotate({ "meshroll.dev/opt-out": null });
  });

  it("3.3 another value is its writer's, and so is ours once it was taken away and put there again", async () => {
    const { annotate, see } = find();
    await write({ annotations: { [runKey]: run, [failedKey]: failed } });
    annotate({ [runKey]: "0123456789ab 1-32", [arrivedKey]: run });
    const seen = await see({ [runKey]: "0123456789ab 1-32", [arrivedKey]: run });
    expect(seen.marksBy).toEqual({ [runKey]: theirs, [arrivedKey]: theirs });
    annotate(gone);
    await see(gone);
    annotate({ [runKey]: run, [failedKey]: failed });
    expect((await see({ [runKey]: run, [failedKey]: failed })).marksBy).toEqual({
      [runKey]: theirs,
      [failedKey]: theirs,
    });
  });

  it("3.3 the same value that another wrote first stays the other's, and a value of ours is ours", async () => {
    const { annotate, see } = find();
    const value = { [failedKey]: failed };
    annotate(value);
    await write({ annotations: { ...value, [runKey]: run } });
    expect((await see({ [runKey]: run })).marksBy).toEqual({ [failedKey]: theirs });
    const other = { [failedKey]: failed.replace("10:00", "11:00") };
    await write({ annotations: other });
    expect((await see(other)).marksBy).toBeUndefined();
  });
}
