import type { RolloutsRepository } from "#libs/git";
import type { PullRequest } from "#libs/github";
import { compileTexts, readSpecTexts, type SpecTexts } from "#libs/mainline";
import { campaignsFolder, isReadPath, type MergedFiles, rolloutsPath, settingsPath } from "#libs/plan";

/** What a pull request would leave on main, with the paths that it changes; none are known of a conflict. */
export interface MergedPull {
  readonly files: MergedFiles;
  readonly changed: readonly string[];
}

function isCampaign(path: string): boolean {
  return path.startsWith(`${campaignsFolder}/`);
}

async function readOnce(repository: RolloutsRepository, main: string, pull: PullRequest): Promise<MergedPull> {
  const head = pull.headSha;
  await repository.fetchPullRequest(pull.number, head);
  const trial = await repository.tryMerge(main, head, [campaignsFolder]);
  if (trial.kind === "conflict") return { files: { kind: "conflict", paths: trial.paths }, changed: [] };
  const { changed } = trial;
  if (!changed.some(isReadPath)) return { files: { kind: "untouched" }, changed };
  const read = await readSpecTexts({
    read: async (path) => repository.readMerged(main, head, path),
    list: async (folder) => repository.listMerged(main, head, folder),
  });
  const files: MergedFiles = {
    kind: "files",
    compiled: compileTexts(head, read),
    texts: listTexts(read),
    campaigns: changed.filter(isCampaign),
    changed,
  };
  return { files, changed };
}

/** By path, for the lines that findings speak of. */
function listTexts({ rollouts, settings, campaigns }: SpecTexts): Readonly<Record<string, string>> {
  return {
    ...campaigns,
    ...(rollouts === undefined ? {} : { [rolloutsPath]: rollouts }),
    ...(settings === undefined ? {} : { [settingsPath]: settings }),
  };
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
