import type { RolloutsRepository } from "#libs/git";
import { type CompiledSpec, completeSpec, type Spec } from "#libs/plan";

import { compileTexts, readSpecTexts } from "./read-spec-texts.ts";
import { readLastCampaigns } from "./unread/read-last.ts";

/** Compiled files by commit, and the findings of commits that do not parse. */
export interface Collected {
  readonly specs: ReadonlyMap<string, Spec>;
  readonly unreadable: ReadonlyMap<string, CompiledSpec["findings"]>;
}

/**
 * Files of commits, each read and compiled once while it is needed. `baseline`: main's history from there on is read for what
 * unreadable campaigns said before; absent: only the commit itself is read.
 */
export interface CompiledCommits {
  compile(sha: string, baseline?: string): Promise<CompiledSpec>;
  /** What is compiled already; reads nothing. */
  find(sha: string): CompiledSpec | undefined;
  /** Compiles all of `needed`; of the others only those in `kept` stay in memory. */
  collect(needed: ReadonlySet<string>, baseline?: string, kept?: ReadonlySet<string>): Promise<Collected>;
}

type Repository = Pick<RolloutsRepository, "read" | "list" | "listLine" | "readChanges" | "contains">;

interface Compiled {
  readonly made: CompiledSpec;
  /** The baseline it was completed with; irrelevant where all campaigns can be read. */
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
      // A process runs for months and must not remember every commit that it ever read.
      for (const sha of compiled.keys()) if (!needed.has(sha) && !kept.has(sha)) compiled.delete(sha);
      return { specs, unreadable };
    },
  };
}
