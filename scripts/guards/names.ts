import { basename, dirname } from "node:path";
import type { Complaint } from "./complaint.ts";

const meaningless = new Set(["utils", "util", "helpers", "helper", "common", "misc", "shared", "types", "classes"]);
const folderName = /^\.?[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
const codeFile = /\.(?:ts|tsx|mts|cts|js|mjs|cjs|py|sh)$/;
const codeName = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:property|test|config|d))*\.[a-z]+$/;

/** Names that are given from outside: fixtures, and files that GitHub finds by name. */
function isNamedByOthers(path: string): boolean {
  return path.startsWith("test/fixtures/") || path.startsWith(".github/ISSUE_TEMPLATE/");
}

function checkFolders(path: string): readonly string[] {
  const folders = dirname(path) === "." ? [] : dirname(path).split("/");
  return folders.flatMap((folder) => {
    if (meaningless.has(folder)) return [`the folder name "${folder}" says nothing: take a word of the domain`];
    if (!folderName.test(folder)) return [`the folder name "${folder}" is not kebab-case`];
    return [];
  });
}

function checkFile(path: string): readonly string[] {
  const name = basename(path);
  if (!codeFile.test(name)) return [];
  if (!codeName.test(name)) return ["the file name is not kebab-case"];
  // A file may be called types.ts: it holds the types of its folder.
  const stem = name.split(".")[0] ?? "";
  if (stem !== "types" && meaningless.has(stem)) return [`the file name "${stem}" says nothing: name its main export`];
  if (/^(?:libs|services)\/[^/]+$/.test(path)) return ["code stands in a folder of its own, not directly here"];
  return [];
}

/** Complains about names that are not kebab-case or that say nothing. */
export function checkNames(paths: readonly string[]): readonly Complaint[] {
  return paths
    .filter((path) => !isNamedByOthers(path))
    .flatMap((path) => [...checkFolders(path), ...checkFile(path)].map((message) => ({ path, message })));
}

/** Complains about a port without a conformance suite: its fake could differ from the real adapter unnoticed. */
export function checkSuites(paths: readonly string[]): readonly Complaint[] {
  const all = new Set(paths);
  return paths
    .filter((path) => /^libs\/[^/]+\/port\.ts$/.test(path) && !all.has(`${dirname(path)}/conformance.ts`))
    .map((path) => ({
      path,
      message: "a port needs a conformance.ts in its folder, run against the fake and the real adapter",
    }));
}
