import type { FakeCommit } from "./fake-remote.ts";
import type { Heads } from "../port.ts";

/** What stays on the disk when a process ends. */
export interface FakeClone {
  readonly fetched: Map<string, FakeCommit>;
  heads: Heads | undefined;
  readonly notes: Map<string, string>;
}

export function createFakeClone(): FakeClone {
  return { fetched: new Map(), heads: undefined, notes: new Map() };
}
