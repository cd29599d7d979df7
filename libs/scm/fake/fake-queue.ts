import type { MergeOutcome, QueuedGroup } from "../port/port.ts";

/** A pull request in the queue, with the commit whose checks count. */
interface QueueEntry {
  readonly number: number;
  readonly head: string;
  readonly by: string;
  group?: { readonly sha: string; readonly base: string };
}

/** What the queue needs of the SCM around it. */
export interface QueueWorld {
  /** The head of a pull request while it is open. */
  readonly openHead: (number: number) => string | undefined;
  readonly mainHead: () => string;
  /** The commit of merging this pull request on top of a commit; undefined: a conflict. */
  readonly mergeOnto: (number: number, tip: string, by: string) => string | undefined;
  readonly checkState: (sha: string) => "green" | "pending" | "failed";
  readonly finish: (number: number, sha: string) => void;
}

/** A merge queue in memory: each entry is tested on top of the one before, and the first green one is merged. */
export interface FakeQueue {
  readonly enqueue: (number: number, head: string, by: string, urgent: boolean) => MergeOutcome;
  /** Merges, removes and tests what can be now. */
  readonly settle: () => void;
  readonly groups: () => readonly QueuedGroup[];
}

export function createFakeQueue(world: QueueWorld): FakeQueue {
  const entries: QueueEntry[] = [];
  /** By head: why the queue took it out. */
  const removed = new Map<string, string>();

  function remove(entry: QueueEntry, reason: string): void {
    entries.splice(entries.indexOf(entry), 1);
    removed.set(entry.head, reason);
    for (const each of entries) delete each.group;
  }

  function findRemoval({ number, head, group }: QueueEntry): string | undefined {
    if (world.openHead(number) !== head) return "BRANCH_UPDATED";
    return group !== undefined && world.checkState(group.sha) === "failed" ? "CI_FAILURE" : undefined;
  }

  /** Gives each entry its group; false when one was taken out, because it conflicts with those before it. */
  function test(): boolean {
    let base = world.mainHead();
    for (const entry of entries) {
      if (entry.group?.base !== base) {
        const sha = world.mergeOnto(entry.number, base, entry.by);
        if (sha === undefined) {
          remove(entry, "MERGE_CONFLICT");
          return false;
        }
        entry.group = { sha, base };
      }
      base = entry.group.sha;
    }
    return true;
  }

  /** True when something was merged or removed. */
  function step(): boolean {
    const bad = entries.find((entry) => findRemoval(entry) !== undefined);
    if (bad !== undefined) remove(bad, findRemoval(bad) ?? "");
    if (bad !== undefined || !test()) return true;
    const [first] = entries;
    if (first?.group === undefined || world.checkState(first.group.sha) !== "green") return false;
    entries.shift();
    world.finish(first.number, first.group.sha);
    return true;
  }

  function settle(): void {
    while (step());
  }

  return {
    settle,
    groups: () => entries.flatMap(({ number, group }) => (group === undefined ? [] : [{ number, headSha: group.sha }])),
    enqueue(number, head, by, urgent) {
      if (entries.some((entry) => entry.number === number)) return { kind: "queued" };
      const reason = removed.get(head);
      if (reason !== undefined && !urgent)
        return {
          kind: "refused",
          why: `it was taken out of the queue: ${reason}`,
          demands: [{ code: "QueueRemoved", reason, by: "queue" }],
        };
      if (urgent) entries.unshift({ number, head, by });
      else entries.push({ number, head, by });
      settle();
      return { kind: "queued" };
    },
  };
}
