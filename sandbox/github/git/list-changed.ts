import type { BareRepository } from "./bare-repository.ts";

/** A file that two trees have differently, as `diff-tree --raw` says it: mode and blob before and after, and a letter. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly letter: string;
}

/** GitHub lists so many files of a pull request, whatever it has. */
const mostFiles = 3000;

type Git = Pick<BareRepository, "git">;
/** One entry of one folder; `isFolder` on the sides on which it is one. */
interface Changed extends ChangedFile {
  readonly wasFolder: boolean;
  readonly isFolder: boolean;
}

const nothing = "0".repeat(40);
const folderMode = "040000";

/** What differs directly in two folders; git looks into neither. */
async function compareFolders({ git }: Git, from: string, to: string): Promise<readonly Changed[]> {
  const fields = (await git(["diff-tree", "-z", "--raw", "--no-renames", "--full-index", from, to])).split("\0");
  const changed: Changed[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [was = "", is = "", before = "", after = "", letter = "M"] = (fields[at] ?? "").slice(1).split(" ");
    const sides = { wasFolder: was === folderMode, isFolder: is === folderMode };
    changed.push({ path: fields[at + 1] ?? "", before, after, letter, ...sides });
  }
  return changed;
}

/** What was or is a file there; a folder in its place is listed by itself. */
function describeFile(path: string, { before, after, letter, wasFolder, isFolder }: Changed): readonly ChangedFile[] {
  const [left, right] = [wasFolder ? nothing : before, isFolder ? nothing : after];
  if (left === nothing) return right === nothing ? [] : [{ path, before: left, after: right, letter: "A" }];
  return [{ path, before: left, after: right, letter: right === nothing ? "D" : letter }];
}

async function writeEmpty({ git }: Git): Promise<string> {
  return git(["mktree"], { input: "" });
}

/**
 * The first 3,000 files that differ, in the order of their folders. A tree of a few objects may have more paths than any disk: folders
 * are compared one by one, and each pair of them once.
 */
export async function listChanged(repository: Git, from: string, to: string): Promise<readonly ChangedFile[]> {
  const empty = await writeEmpty(repository);
  const known = new Map<string, readonly Changed[]>();
  const found: ChangedFile[] = [];
  const compare = async (before: string, after: string): Promise<readonly Changed[]> => {
    const key = `${before} ${after}`;
    const changed = known.get(key) ?? (await compareFolders(repository, before, after));
    known.set(key, changed);
    return changed;
  };
  const walk = async (before: string, after: string, prefix: string): Promise<void> => {
    for (const each of await compare(before, after)) {
      if (found.length >= mostFiles) return;
      const path = `${prefix}${each.path}`;
      const [was, is] = [each.wasFolder ? each.before : empty, each.isFolder ? each.after : empty];
      if (each.wasFolder || each.isFolder) await walk(was, is, `${path}/`);
      found.push(...describeFile(path, each));
    }
  };
  const tree = async (commit: string): Promise<string> => repository.git(["rev-parse", `${commit}^{tree}`]);
  await walk(await tree(from), await tree(to), "");
  return found;
}
