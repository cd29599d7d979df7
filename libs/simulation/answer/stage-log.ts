import type { Batch, RunRecord } from "#libs/plan";

import type { Cause, SimulatedStage } from "./answer.ts";

interface Entry {
  readonly name: string;
  readonly proposedAt: number;
  mergedAt?: number;
  startedAt?: number;
  restartedAt?: number;
  endedAt?: number;
  skipped: number;
  readonly namespaces: Set<string>;
  workloads: number;
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
    this.#entries.push({ name, proposedAt: now, skipped: 0, namespaces: new Set(), workloads: 0, spent: {} });
  }

  merged(now: number): void {
    if (this.#current !== undefined) this.#current.mergedAt = now;
  }

  handedOut({ items }: Batch, now: number): void {
    this.handedOutInAll += items.length;
    const stage = this.#current;
    if (stage === undefined) return;
    stage.startedAt ??= now;
    // An automatic second attempt is not a second workload. Only a retry by a person counts again, and a simulation has
    // none.
    stage.workloads += items.length;
    let last: string | undefined;
    for (const { namespace } of items) {
      if (namespace !== last) stage.namespaces.add(namespace);
      last = namespace;
    }
  }

  settled(now: number): void {
    const stage = this.#current;
    if (stage !== undefined) stage.restartedAt = now;
  }

  ended({ outcome }: RunRecord, now: number): void {
    const stage = this.#current;
    if (stage === undefined) return;
    stage.endedAt = now;
    stage.skipped = outcome?.skipped.length ?? 0;
  }

  passed(cause: Cause, ms: number): void {
    const spent = this.#current?.spent;
    if (spent !== undefined && ms > 0) spent[cause] = (spent[cause] ?? 0) + ms;
  }

  list(): readonly SimulatedStage[] {
    return this.#entries.map(({ namespaces, ...rest }) => ({ ...rest, namespaces: namespaces.size }));
  }
}
