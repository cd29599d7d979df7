import type { RolloutsRepository } from "#libs/git";
import { type CompiledSpec, completeSpec, type Spec } from "#libs/plan";

import { compileTexts, readSpecTexts } from "./read-spec-texts.ts";
import { readLastCampaigns } from "./unread/read-last.ts";

/** What commits say, and of those that do not parse what is wrong. */
export interface Collected {
  readonly specs: ReadonlyMap<string, Spec>;
  readonly unreadable: ReadonlyMap<string, CompiledSpec["findings"]>;
}

/**
 * Files of commits, each read and compiled once while it is needed. `baseline`: main's history since then says what was
 * known of campaigns that cannot be read; absent = only the commit itself is read.
 */
export interface CompiledCommits {
  compile(sha: string, baseline?: string): Promise<CompiledSpec>;
  /** Without a look at the repository. */
  find(sha: string): CompiledSpec | undefined;
  /** All of `needed`; of the others only `kept` are remembered on. */
  collect(needed: ReadonlySet<string>, baseline?: string, kept?: ReadonlySet<string>): Promise<Collected>;
}

type Repository = Pick<RolloutsRepository, "read" | "list" | "listLine" | "readChanges" | "contains">;

interface Compiled {
  readonly made: CompiledSpec;
  /** From where main's history was asked; the same for a commit whose campaigns can all be read. */
  readonly baseline: string | undefined;
}

function isWhole(made: CompiledSpec): boolean {
  return !made.ok || (made.spec.unreadFolder === undefined && (made.spec.unread ?? []).length === 0);
}

export function createCompiledCommits(repository: Repository): CompiledCommits {
  const compiled = new Map<string, Compiled>();

  async function complete(made: CompiledSpec, sha: string, baseline: string | undefined): Promise<CompiledSpec> {
    if (!made.ok || isWhole(made) || baseline === undefined) return made;
    if (!(await repository.contains(sha, baseline))) return made;
    const { settings } = made.spec;
    const past = { repository, baseline, settings, compile: async (commit: string) => compile(commit, baseline) };
    return { ...made, spec: completeSpec(made.spec, await readLastCampaigns(past, made.spec)) };
  }

  async function compile(sha: string, baseline?: string): Promise<CompiledSpec> {
    const known = compiled.get(sha);
    if (known !== undefined && (known.baseline === baseline || isWhole(known.made))) return known.made;
    const texts = await readSpecTexts({
      read: async (path) => repository.read(sha, path),
      list: async (folder) => repository.list(sha, folder),
    });
    const made = await complete(compileTexts(sha, texts), sha, baseline);
    compiled.set(sha, { made, baseline });
    return made;
  }

  return {
    compile,
    find: (sha) => compiled.get(sha)?.made,
    async collect(needed, baseline, kept = needed) {
      const specs = new Map<string, Spec>();
      const unreadable = new Map<string, CompiledSpec["findings"]>();
      for (const sha of needed) {
        const made = await compile(sha, baseline);
        if (made.ok) specs.set(sha, made.spec);
        else unreadable.set(sha, made.findings);
      }
      // Only what is named now is kept: a clone that lives for months must not remember every commit it ever read.
      for (const sha of compiled.keys()) if (!needed.has(sha) && !kept.has(sha)) compiled.delete(sha);
      return { specs, unreadable };
    },
  };
}
