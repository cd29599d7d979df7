import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Names of metrics in the code of services and of the libs that they use. */
function findMetrics(): ReadonlySet<string> {
  const files = ["services", "libs/runtime"].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${root}/${folder}/${name}`),
  );
  const code = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return new Set(code.flatMap((name) => readFileSync(name, "utf8").match(/(?<=")meshroll_[a-z_]+(?=")/g) ?? []));
}

it("docs/reference/metrics.md has exactly one line for each metric", () => {
  const page = readFileSync(`${root}/docs/reference/metrics.md`, "utf8");
  const documented = new Set([...page.matchAll(/^\| `(meshroll_\w+)`/gm)].map((match) => match[1] ?? ""));
  const metrics = findMetrics();
  expect(metrics.size).toBeGreaterThan(20);
  expect([...documented].toSorted()).toEqual([...metrics].toSorted());
});
