import type { FakeCommit, Tree } from "./fake-remote.ts";
import { isRepositoryPath } from "../names.ts";
import type { FileChanges } from "../port.ts";

/** What a commit changed at or below these paths; undefined where nothing. */
export function findChanges(
  { sha, tree }: FakeCommit,
  before: Tree,
  paths: readonly string[],
): FileChanges | undefined {
  const changed = [...new Set([...before.keys(), ...tree.keys()])].filter(
    (path) => JSON.stringify(before.get(path)) !== JSON.stringify(tree.get(path)),
  );
  const below = changed.filter((path) => paths.some((each) => path === each || path.startsWith(`${each}/`)));
  if (below.length === 0) return undefined;
  const files = paths
    .filter((path) => below.includes(path))
    .map((path): [string, string | undefined] => {
      const content = tree.get(path);
      return [path, typeof content === "string" ? content : undefined];
    });
  const folders = paths.filter((each) => changed.some((path) => path.startsWith(`${each}/`)));
  return { sha, files: new Map(files), below: folders };
}

/** Regular files directly in a folder. */
export function listDirectly(tree: Tree, folder: string): readonly string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const paths: string[] = [];
  for (const [path, content] of tree) {
    const direct = path.startsWith(prefix) && !path.slice(prefix.length).includes("/");
    if (direct && typeof content === "string" && isRepositoryPath(path)) paths.push(path);
  }
  return paths.toSorted();
}
