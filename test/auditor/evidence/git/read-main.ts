import type { AuditedCommit, AuditedPush } from "../evidence.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { listArrived, type RecordedRepository } from "./recorded-repository.ts";

type Files = ReadonlyMap<string, string>;

/** The files after a commit, from those of its first parent. */
function applyChanges(files: Files, changes: ReadonlyMap<string, string | undefined>): Files {
  const next = new Map(files);
  for (const [path, text] of changes) {
    if (text === undefined) next.delete(path);
    else next.set(path, text);
  }
  return next;
}

/** Files directly in `campaigns/`, not in folders below it. */
function pickCampaigns(files: Files): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].filter(([path]) => /^campaigns\/[^/]+\.yml$/u.test(path)));
}

/** First-parent commits of main in the order of their arrival. The first ones were there before the evidence begins. */
export function readMain(repository: RecordedRepository): readonly AuditedCommit[] {
  const trees = new Map<string, Files>();
  const arrived = listArrived(repository, "main");
  const [first] = arrived;
  return arrived.map(({ commit, push, isForced }) => {
    const { sha, parent, merged, author, changes } = commit;
    const files = trees.get(sha) ?? applyChanges(trees.get(parent ?? "") ?? new Map(), changes);
    trees.set(sha, files);
    const isFirst = push === first?.push;
    const known = omitUndefined({
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

/** Pushes to all branches except main and the ledger. */
export function readPushes({ pushes }: RecordedRepository): readonly AuditedPush[] {
  return pushes
    .filter(({ branch }) => branch !== "main" && branch !== "meshroll/ledger")
    .map(({ branch, after, from, until, by }) => {
      return { branch, ...(after === undefined ? {} : { after }), at: from, atLatest: until, by };
    });
}
