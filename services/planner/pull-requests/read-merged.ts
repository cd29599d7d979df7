import type { RolloutsRepository } from "#libs/git";
import type { PullRequest } from "#libs/github";
import {
  campaignsFolder,
  chooseCampaignPaths,
  compileSpec,
  isReadPath,
  type MergedFiles,
  rolloutsPath,
  settingsPath,
} from "#libs/plan";

/** What a pull request would leave on main, with the paths that it changes; none are known of a conflict. */
export interface MergedPull {
  readonly files: MergedFiles;
  readonly changed: readonly string[];
}

function isCampaign(path: string): boolean {
  return path.startsWith(`${campaignsFolder}/`);
}

/** Unfinished campaigns as the merge would leave them: those of main, and those that it brings; one that goes is none. */
async function readCampaigns(
  repository: RolloutsRepository,
  main: string,
  head: string,
  changed: readonly string[],
): Promise<Readonly<Record<string, string | undefined>>> {
  const paths = chooseCampaignPaths([...(await repository.list(main, campaignsFolder)), ...changed]);
  const texts: Record<string, string | undefined> = {};
  for (const path of paths) texts[path] = await repository.readMerged(main, head, path);
  return texts;
}

function keepTexts(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const entries = Object.entries(texts).flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
  return Object.fromEntries(entries);
}

async function readOnce(repository: RolloutsRepository, main: string, pull: PullRequest): Promise<MergedPull> {
  const head = pull.headSha;
  await repository.fetchPullRequest(pull.number, head);
  const trial = await repository.tryMerge(main, head);
  if (trial.kind === "conflict") return { files: { kind: "conflict", paths: trial.paths }, changed: [] };
  const { changed } = trial;
  if (!changed.some(isReadPath)) return { files: { kind: "untouched" }, changed };
  const rollouts = await repository.readMerged(main, head, rolloutsPath);
  const settings = await repository.readMerged(main, head, settingsPath);
  const campaigns = keepTexts(await readCampaigns(repository, main, head, changed));
  const files: MergedFiles = {
    kind: "files",
    compiled: compileSpec(head, rollouts, settings, campaigns),
    texts: keepTexts({ ...campaigns, [rolloutsPath]: rollouts, [settingsPath]: settings }),
    campaigns: changed.filter(isCampaign),
    changed,
  };
  return { files, changed };
}

/** Reads what merges of pull requests into main would leave of the files that meshroll reads. */
export interface MergedReader {
  read(repository: RolloutsRepository, main: string, pull: PullRequest): Promise<MergedPull>;
  /** Forgets what concerns no open head and other mains. */
  keep(main: string, heads: ReadonlySet<string>): void;
}

/** Remembers by main and head: what was compiled once is judged again for little as long as neither moves. */
export function createMergedReader(): MergedReader {
  const known = new Map<string, { readonly main: string; readonly head: string; readonly merged: MergedPull }>();
  return {
    async read(repository, main, pull) {
      const key = `${main} ${pull.headSha}`;
      const merged = known.get(key)?.merged ?? (await readOnce(repository, main, pull));
      known.set(key, { main, head: pull.headSha, merged });
      return merged;
    },
    keep(main, heads) {
      for (const [key, each] of known) if (each.main !== main || !heads.has(each.head)) known.delete(key);
    },
  };
}
