import { type Batch, countEnded, leftClasses, type RunRecord, type RunView } from "#libs/plan";

import type { Cause, SimulatedStage } from "./answer.ts";

interface Entry {
  readonly name: string;
  readonly proposedAt: number;
  mergedAt?: number;
  startedAt?: number;
  restartedAt?: number;
  endedAt?: number;
  skipped: number;
  /** Absent before its run began. */
  listed?: { readonly namespaces: number; readonly workloads: number };
  readonly spent: Partial<Record<Cause, number>>;
}

/** Records what happens to each stage. */
export class StageLog {
  readonly #entries: Entry[] = [];
  handedOutInAll = 0;

  get #current(): Entry | undefined {
    return this.#entries.at(-1);
  }

  proposed(name: string, now: number): void {
    this.#entries.push({ name, proposedAt: now, skipped: 0, spent: {} });
  }

  merged(now: number): void {
    if (this.#current !== undefined) this.#current.mergedAt = now;
  }

  /** Its run begins: what it has to restart is what `plan` and its pull request list. */
  began({ clusters }: RunView): void {
    const stage = this.#current;
    if (stage === undefined || stage.listed !== undefined) return;
    const namespaces = new Set<string>();
    let workloads = 0;
    for (const classes of clusters.values())
      for (const { workload, isLeftover } of classes.list(leftClasses)) {
        if (isLeftover === true) continue;
        workloads += 1;
        namespaces.add(workload.namespace);
      }
    stage.listed = { namespaces: namespaces.size, workloads };
  }

  handedOut({ items }: Batch, now: number): void {
    this.handedOutInAll += items.length;
    const stage = this.#current;
    if (stage !== undefined) stage.startedAt ??= now;
  }

  settled(now: number): void {
    const stage = this.#current;
    if (stage !== undefined) stage.restartedAt = now;
  }

  ended(run: RunRecord, now: number): void {
    const stage = this.#current;
    if (stage === undefined) return;
    stage.endedAt = now;
    stage.skipped = countEnded(run)?.skipped ?? 0;
  }

  passed(cause: Cause, ms: number): void {
    const spent = this.#current?.spent;
    if (spent !== undefined && ms > 0) spent[cause] = (spent[cause] ?? 0) + ms;
  }

  list(): readonly SimulatedStage[] {
    return this.#entries.map(({ listed = { namespaces: 0, workloads: 0 }, ...rest }) => ({ ...rest, ...listed }));
  }
}
