import { afterEach, beforeEach, expect, it } from "vitest";

import type { WorkloadRef } from "#libs/fleet";

import type { Cluster, WorkloadEvent } from "../port.ts";

/** An Event as the API server has it, by either of its two groups. */
export interface SeenEvent {
  readonly metadata: { readonly name: string };
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly uid: string };
}

/** A cluster that is written to, and one workload in it. */
export interface EventGround {
  readonly cluster: Pick<Cluster, "recordEvent">;
  readonly ref: WorkloadRef;
  readonly uid: string;
  /** The Events about the workload, in any order. */
  readonly read: (ref: WorkloadRef) => readonly SeenEvent[];
  close(): Promise<void>;
}

const plain = {
  type: "Normal",
  reason: "RevisionMigrating",
  action: "Move",
  note: "run 0123456789ab moves it",
  at: Date.UTC(2026, 10, 24, 12, 0, 0, 7),
} as const;

/** Events; the same on the model, behind HTTP, and on a real API server. */
export function describeEvents(make: () => Promise<EventGround>): void {
  let ground: EventGround | undefined;
  const find = () => {
    if (ground === undefined) throw new Error("the ground is there only within a test");
    return ground;
  };
  const record = (event: Partial<WorkloadEvent>) => {
    const { cluster, ref, uid } = find();
    return cluster.recordEvent({ ...plain, ref, uid, id: "one", ...event });
  };
  beforeEach(async () => {
    ground = await make();
  });
  afterEach(async () => {
    await ground?.close();
    ground = undefined;
  });

  it("an Event is about the workload by its UID, with reason and note", async () => {
    const { ref, uid, read } = find();
    expect(await record({ id: "first" })).toMatchObject({ kind: "written" });
    const { type, reason, note } = plain;
    expect(read(ref)).toContainEqual(expect.objectContaining({ type, reason, note }));
    expect(read(ref).find((each) => each.note === note)?.regarding.uid).toBe(uid);
  });

  it("a second Event with the same id is a conflict, whatever its text", async () => {
    const { ref, read } = find();
    expect(await record({ id: "twice", note: "told once" })).toMatchObject({ kind: "written" });
    expect(await record({ id: "twice", note: "told again" })).toEqual({ kind: "conflict" });
    const notes = read(ref).map(({ note }) => note);
    expect([notes.includes("told once"), notes.includes("told again")]).toEqual([true, false]);
    expect(await record({ id: "another", note: "of another effect" })).toMatchObject({ kind: "written" });
  });

  it("a note that is too long is cut at a whole character", async () => {
    const { ref, read } = find();
    expect(await record({ id: "long", type: "Warning", note: "ü".repeat(1000) })).toMatchObject({ kind: "written" });
    const long = read(ref).find(({ note }) => note.startsWith("üü"));
    expect(long?.note).toBe(`${"ü".repeat(510)}…`);
  });

  it("the longest name of a workload has room for an Event's", async () => {
    const { ref } = find();
    const name = `${"a".repeat(235)}.b${"c".repeat(16)}`;
    expect(await record({ id: "named", ref: { ...ref, name }, uid: "u-long" })).toMatchObject({ kind: "written" });
  });

  it("gone: its namespace is not there", async () => {
    const { ref } = find();
    expect(await record({ ref: { ...ref, namespace: "nowhere" } })).toEqual({ kind: "gone" });
  });
}
