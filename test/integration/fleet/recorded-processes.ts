import { readFileSync } from "node:fs";
import { join } from "node:path";

import { newestFormat } from "#libs/input";

import type { AuditedProcess } from "../../auditor/evidence/evidence.ts";

/** The newest version that a build reads, as its own source says it. */
function readNewest(build: string | undefined): number {
  if (build === undefined) return newestFormat;
  const text = readFileSync(join(build, "libs", "input", "format.ts"), "utf8");
  const [, version] = /newestFormat: number = (\d+);/u.exec(text) ?? [];
  if (version === undefined) throw new Error(`${build} does not say which version it reads`);
  return Number(version);
}

/** Planners and executors with the time in which each was alive, for the auditor. One that was frozen was not heard of. */
export class RecordedProcesses {
  readonly #all: AuditedProcess[] = [];
  readonly #running = new Map<string, AuditedProcess>();
  readonly #frozen = new Set<string>();

  begin(as: string, service: string, build: string | undefined, from: number): void {
    if (service === "planner" || service === "executor")
      this.#running.set(as, { name: as, reads: readNewest(build), from });
  }

  end(as: string, until: number): void {
    const process = this.#running.get(as);
    if (process !== undefined && !this.#frozen.has(as)) this.#all.push({ ...process, until });
    this.#running.delete(as);
    this.#frozen.delete(as);
  }

  freeze(as: string): void {
    this.#frozen.add(as);
  }

  list(): readonly AuditedProcess[] {
    const alive = [...this.#running].flatMap(([as, process]) => (this.#frozen.has(as) ? [] : [process]));
    return [...this.#all, ...alive];
  }
}
