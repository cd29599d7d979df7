import type { RolloutsRepository } from "#libs/git";
import type { CompiledSpec, Spec } from "#libs/plan";

import { compileTexts, readSpecTexts } from "./read-spec-texts.ts";

/** What commits say, and of those that do not parse what is wrong. */
export interface Collected {
  readonly specs: ReadonlyMap<string, Spec>;
  readonly unreadable: ReadonlyMap<string, CompiledSpec["findings"]>;
}

/** Files of commits, each read and compiled once while somebody needs it. */
export interface CompiledCommits {
  compile(sha: string): Promise<CompiledSpec>;
  /** Without a look at the repository. */
  find(sha: string): CompiledSpec | undefined;
  /** All of `needed`; of the others only `kept` are remembered on. */
  collect(needed: ReadonlySet<string>, kept?: ReadonlySet<string>): Promise<Collected>;
}

export function createCompiledCommits(repository: Pick<RolloutsRepository, "read" | "list">): CompiledCommits {
  const compiled = new Map<string, CompiledSpec>();

  async function compile(sha: string): Promise<CompiledSpec> {
    const known = compiled.get(sha);
    if (known !== undefined) return known;
    const texts = await readSpecTexts({
      read: async (path) => repository.read(sha, path),
      list: async (folder) => repository.list(sha, folder),
    });
    const made = compileTexts(sha, texts);
    compiled.set(sha, made);
    return made;
  }

  return {
    compile,
    find: (sha) => compiled.get(sha),
    async collect(needed, kept = needed) {
      const specs = new Map<string, Spec>();
      const unreadable = new Map<string, CompiledSpec["findings"]>();
      for (const sha of needed) {
        const made = await compile(sha);
        if (made.ok) specs.set(sha, made.spec);
        else unreadable.set(sha, made.findings);
      }
      // Only what is named now is kept: a clone that lives for months must not remember every commit it ever read.
      for (const sha of compiled.keys()) if (!needed.has(sha) && !kept.has(sha)) compiled.delete(sha);
      return { specs, unreadable };
    },
  };
}
