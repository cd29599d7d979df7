import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Locked {
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, Locked>>;

/** Where Node finds `name` for the package in the folder `from`; undefined when it is not locked. */
function find(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "" || !folder.includes("/node_modules/")) {
      const top = `node_modules/${name}`;
      return top in packages ? top : undefined;
    }
  }
}

/** Everything that these packages need, themselves included. */
function findAll(packages: Packages, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const left = names.flatMap((name) => find(packages, "", name) ?? []);
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = find(packages, path, name);
      if (next !== undefined) left.push(next);
    }
  }
  return found;
}

/** Counts the required packages of a closure; those that some platforms lack are counted separately. */
function countRequired(packages: Packages, paths: ReadonlySet<string>): number {
  return [...paths].filter((path) => packages[path]?.optional !== true).length;
}

const page = readFileSync(`${root}/docs/reference/dependencies.md`, "utf8");
const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8")) as { readonly packages: Packages };
const direct = Object.keys(packages[""]?.dependencies ?? {});

describe("docs/reference/dependencies.md", () => {
  it("has a row for each package, with the number of packages that it brings", () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` *\|[^|]*\| *(\d+) \|/gm)].map(([, name, count]) => [
      name,
      Number(count),
    ]);
    const want = direct.map((name) => [name, countRequired(packages, findAll(packages, [name]))]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(want));
  });

  it("has the right total", () => {
    const all = findAll(packages, direct);
    const required = countRequired(packages, all);
    expect(page).toContain(`**${required}** packages on every platform, and up to ${all.size - required} more`);
  });

  it("names the packages that users install themselves, with the number of packages that each brings", () => {
    for (const name of Object.keys(packages[""]?.peerDependencies ?? {})) {
      expect(page).toContain(`\`${name}\` (${findAll(packages, [name]).size} packages)`);
    }
  });
});

describe("a package's dependencies are found where Node finds them", () => {
  const lock: Packages = {
    "node_modules/a": { dependencies: { b: "1", c: "1" } },
    "node_modules/a/node_modules/b": { dependencies: { c: "1" } },
    "node_modules/b": {},
    "node_modules/c": { optionalDependencies: { d: "1", gone: "1" } },
    "node_modules/d": { optional: true },
  };
  it("a nested copy first, then those of the folders above", () => {
    const all = findAll(lock, ["a"]);
    expect([...all].toSorted()).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
      "node_modules/d",
    ]);
    expect(countRequired(lock, all)).toBe(3);
  });
});
