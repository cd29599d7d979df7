import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { SeenPush } from "#sandbox/github";

const nothing = /^0+$/u;

/** git logs whole seconds: the push happened some time within one. */
const secondMs = 1000;

function readLine(branch: string, line: string, toCluster: (ms: number) => number): readonly SeenPush[] {
  const [, before = "", after = "", by = "", seconds = ""] =
    /^(\w+) (\w+) (.*?) <[^>]*> (\d+) [+-]\d+/u.exec(line) ?? [];
  if (before === "") return [];
  const at = Number(seconds) * secondMs;
  return [
    {
      branch,
      ...(nothing.test(before) ? {} : { before }),
      ...(nothing.test(after) ? {} : { after }),
      from: toCluster(at),
      until: toCluster(at + secondMs),
      by,
    },
  ];
}

/** Pushes to the branches of a bare repository, oldest first, from git's reflogs, which Gitea keeps. */
export function readReflogs(repository: string, toCluster: (ms: number) => number): readonly SeenPush[] {
  const folder = join(repository, "logs", "refs", "heads");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const moves = files.flatMap((file) => {
    const path = join(file.parentPath, file.name);
    const branch = path.slice(folder.length + 1);
    return readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line) => readLine(branch, line, toCluster));
  });
  return moves.toSorted((a, b) => a.from - b.from);
}
