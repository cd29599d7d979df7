import { posix } from "node:path";
import type { Complaint } from "./complaint.ts";

const imported = /(?:from |import\(|import )"(\.[^"]+)"/g;
const house = /^(?:(?:libs|services)\/[^/]+|cli|agent|page)\//;
const forTests = /^(libs\/[^/]+\/)(?:fake|conformance)(?:\.ts|-|\/)/;

/** One relative import. `target` is the imported file, relative to the root. */
export interface PathImport {
  readonly line: number;
  readonly target: string;
}

/** The relative imports of a TypeScript file. Subpath imports such as `#libs/x` are checked by lint. */
export function listPathImports(path: string, text: string): readonly PathImport[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(imported)].map((match) => ({
      line: index + 1,
      target: posix.join(posix.dirname(path), match[1] ?? ""),
    })),
  );
}

function explain(path: string, own: string, target: string): string | undefined {
  if (!target.startsWith(own)) {
    return `a path leads out of ${own}: import what lies elsewhere by its name, as #libs/git (docs/explanation/architecture.md)`;
  }
  if (!forTests.test(target) || forTests.test(path) || path.endsWith(".test.ts")) return undefined;
  return "fakes and conformance suites are for tests: the product may not import them";
}

/**
 * Complains about relative imports that leave a lib, a service or the CLI, and about product code that imports a fake or a
 * conformance suite.
 */
export function checkHouses(path: string, text: string): readonly Complaint[] {
  const own = house.exec(path)?.[0];
  if (own === undefined || !/\.tsx?$/.test(path)) return [];
  return listPathImports(path, text).flatMap(({ line, target }) => {
    const message = explain(path, own, target);
    return message === undefined ? [] : [{ path, line, message }];
  });
}
