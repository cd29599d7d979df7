import type { RunGit } from "../process/run-git.ts";

/** The id of the empty tree, which git always knows. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

async function compare(git: RunGit, before: string, after: string): Promise<readonly string[]> {
  // Not recursive: sixteen objects can be a tree with more paths than memory can hold.
  const names = await git(["diff-tree", "-z", "--no-renames", "--name-only", before, after]);
  return names.split("\0").filter((name) => name !== "");
}

/** The tree of a folder; the empty tree where it does not exist or is not a folder. */
async function findFolder(git: RunGit, tree: string, folder: string): Promise<string> {
  const entry = await git(["ls-tree", "-z", "--full-tree", tree, "--", folder]);
  return /^040000 tree ([0-9a-f]+)\t/.exec(entry)?.[1] ?? emptyTree;
}

/**
 * What differs between two trees, in byte order: entries of the root, folders by name; for a folder in `inside` its direct
 * entries by path. Deeper entries are not compared.
 */
export async function listChanged(
  git: RunGit,
  before: string,
  after: string,
  inside: readonly string[],
): Promise<readonly string[]> {
  const root = await compare(git, `${before}^{tree}`, after);
  const changed: string[] = [];
  for (const name of new Set(root)) {
    const isInside = inside.includes(name);
    const [old, now] = isInside
      ? [await findFolder(git, before, name), await findFolder(git, after, name)]
      : [emptyTree, emptyTree];
    const below = old === now ? [] : await compare(git, old, now);
    changed.push(...below.map((each) => `${name}/${each}`));
    // A name that is not a folder on one side is listed itself; git lists it twice where a folder becomes a file.
    const isOther = below.length === 0 || root.indexOf(name) !== root.lastIndexOf(name);
    if (isOther) changed.push(name);
  }
  return changed.toSorted();
}
