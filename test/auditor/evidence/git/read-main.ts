import type { AuditedCommit, AuditedPush } from "../evidence.ts";
import { keepKnown } from "../keep-known.ts";
import { listMigrated, type RecordedRepository } from "./recorded-repository.ts";

type Files = ReadonlyMap<string, string>;

/** The files of a commit, by those of its first parent. */
function applyChanges(files: Files, changes: ReadonlyMap<string, string | undefined>): Files {
  const next = new Map(files);
  for (const [path, text] of changes) {
    if (text === undefined) next.delete(path);
    else next.set(path, text);
  }
  return next;
}

/** Files that stand directly in `campaigns/`. */
function pickCampaigns(files: Files): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].filter(([path]) => /^campaigns\/[^/]+\.yml$/u.test(path)));
}

/** First-parent commits of main in the order in which they arrived; the first ones were there before everything else. */
export function readMain(repository: RecordedRepository): readonly AuditedCommit[] {
  const trees = new Map<string, Files>();
  const migrated = listMigrated(repository, "main");
  const [first] = migrated;
  return migrated.map(({ commit, push, isForced }) => {
    const { sha, parent, merged, author, changes } = commit;
    const files = trees.get(sha) ?? applyChanges(trees.get(parent ?? "") ?? new Map(), changes);
    trees.set(sha, files);
    const isFirst = push === first?.push;
    const known = keepKnown({
      sha,
      parent,
      merged,
      at: isFirst ? 0 : push.from,
      atLatest: isFirst ? 0 : push.until,
      author,
      by: push.by,
      isForced: isForced ? true : undefined,
      rollouts: files.get("rollouts.yml") ?? "",
      campaigns: pickCampaigns(files),
    });
    return { ...known, settings: files.get("meshroll.yml") };
  });
}

/** Moves of all branches but main and the ledger. */
export function readPushes({ pushes }: RecordedRepository): readonly AuditedPush[] {
  return pushes
    .filter(({ branch }) => branch !== "main" && branch !== "meshroll/ledger")
    .map(({ branch, after, from, until, by }) => {
      return { branch, ...(after === undefined ? {} : { after }), at: from, atLatest: until, by };
    });
}
