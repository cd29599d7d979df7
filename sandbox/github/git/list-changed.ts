import type { BareRepository } from "./bare-repository.ts";

/** A file that differs between two trees, as in `diff-tree --raw`: blob before and after, and the letter of the status. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly letter: string;
}

/** GitHub lists so many files of a pull request at most. */
const mostFiles = 3000;

type Git = Pick<BareRepository, "git">;
/** An entry of a folder that differs; it may be a folder on one side or both. */
interface Changed extends ChangedFile {
  readonly wasFolder: boolean;
  readonly isFolder: boolean;
}

const noBlob = "0".repeat(40);
const folderMode = "040000";

/** The entries that differ directly in two folders, without going into folders. */
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

/** The file of an entry; a folder on either side is listed by its own files. */
function describeFile(path: string, { before, after, letter, wasFolder, isFolder }: Changed): readonly ChangedFile[] {
  const [left, right] = [wasFolder ? noBlob : before, isFolder ? noBlob : after];
  if (left === noBlob) return right === noBlob ? [] : [{ path, before: left, after: right, letter: "A" }];
  return [{ path, before: left, after: right, letter: right === noBlob ? "D" : letter }];
}

async function writeEmpty({ git }: Git): Promise<string> {
  return git(["mktree"], { input: "" });
}

/**
 * The first 3,000 files that differ, in the order of their folders. Folders are compared one by one, and each pair once: a tree
 * of a few objects may have more paths than fit on a disk.
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
