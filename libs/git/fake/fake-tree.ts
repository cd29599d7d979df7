import type { Tree } from "./fake-remote.ts";
import { isRepositoryPath } from "../names.ts";

/** Regular files that stand directly in a folder. */
export function listDirectly(tree: Tree, folder: string): readonly string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const paths: string[] = [];
  for (const [path, content] of tree) {
    const direct = path.startsWith(prefix) && !path.slice(prefix.length).includes("/");
    if (direct && typeof content === "string" && isRepositoryPath(path)) paths.push(path);
  }
  return paths.toSorted();
}
