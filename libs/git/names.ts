import { GitRefused } from "./errors.ts";

const branchPart = /^[A-Za-z0-9_][A-Za-z0-9_.+=-]*$/;
const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Control characters would break git's line formats, and backslashes mean a folder on other systems. */
// eslint-disable-next-line no-control-regex -- they are what this pattern is for
const unsafeCharacter = /[\u0000-\u001f\u007f\\]/;

function isBranchPart(part: string): boolean {
  return branchPart.test(part) && !part.includes("..") && !part.endsWith(".lock") && !part.endsWith(".");
}

/** The full ref of a branch. Names come from outside and must never become an option of git (`--upload-pack=…`). */
export function toBranchRef(branch: string): string {
  if (branch.length === 0 || branch.length > 200 || !branch.split("/").every(isBranchPart)) {
    throw new GitRefused(
      `branch name ${JSON.stringify(branch)} is not one that meshroll uses`,
      "choose letters, digits, . _ - and /",
    );
  }
  return `refs/heads/${branch}`;
}

/** Whether a text is a full lower-case commit id. Short ids and expressions (`main~1`, `HEAD`) are never passed to git. */
export function isCommitId(text: string): boolean {
  return commitId.test(text);
}

/** Throws `GitRefused` unless the text is a full commit id. */
export function requireCommitId(text: string): string {
  if (!isCommitId(text))
    throw new GitRefused(`${JSON.stringify(text)} is not a full commit id`, "pass all 40 hex digits");
  return text;
}

function isPathPart(part: string): boolean {
  return part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git";
}

/** Whether a text is a relative path inside the repository that is safe as an argument of git. */
export function isRepositoryPath(path: string): boolean {
  if (path.length > 4096 || path.startsWith("-") || unsafeCharacter.test(path)) return false;
  return path.split("/").every(isPathPart);
}

/** Throws `GitRefused` unless the path is inside the repository. */
export function requireRepositoryPath(path: string): string {
  if (!isRepositoryPath(path)) {
    throw new GitRefused(
      `path ${JSON.stringify(path)} does not name a file of the repository`,
      "use a relative path without '..'",
    );
  }
  return path;
}
