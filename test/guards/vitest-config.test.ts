import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";

import { listFiles } from "../../scripts/guards/list-files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = listFiles(root).filter((path) => path.endsWith(".test.ts"));

/** Each alternative of a pattern like `{a,b}.test.ts`. */
function expand(pattern: string): readonly string[] {
  const [whole = "", choices] = /\{([^{}]+)\}/.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  return choices.split(",").flatMap((choice) => expand(pattern.replace(whole, choice)));
}

function findUnused(config: string): readonly string[] {
  const patterns = [...config.matchAll(/"([^"\s]+\.test\.ts)"/g)].flatMap(([, pattern = ""]) => expand(pattern));
  return patterns.filter((pattern) => !files.some((path) => matchesGlob(path, pattern)));
}

test("each pattern of vitest.config.ts, and each alternative in it, names a test that exists", () => {
  const config = readFileSync(`${root}/vitest.config.ts`, "utf8");
  expect(findUnused(config)).toEqual([]);
  expect(findUnused(`${config}\n["test/flow/{pull-requests,stages-http}.test.ts"]`)).toEqual([
    "test/flow/pull-requests.test.ts",
    "test/flow/stages-http.test.ts",
  ]);
});
