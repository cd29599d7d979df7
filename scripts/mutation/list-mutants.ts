import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { listFiles } from "../guards/list-files.ts";
import type { Mutant } from "./mutant.ts";
import { leftOut } from "./left-out.ts";

/** What we use of Stryker's instrumenter, which only this folder's own node_modules has. */
interface InstrumenterModule {
  readonly Instrumenter: new (logger: object) => {
    instrument(
      files: readonly { readonly name: string; readonly content: string; readonly mutate: true }[],
      options: object,
    ): Promise<{ readonly mutants: readonly StrykerMutant[] }>;
  };
}

interface StrykerMutant {
  readonly fileName: string;
  readonly location: { readonly start: Mutant["start"]; readonly end: Mutant["start"] };
  readonly mutatorName: string;
  readonly replacement: string;
  /** Set for kinds that are left out. */
  readonly status?: string;
}

const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: () => {} };

/** Files of a lib that a mutant may change: not its tests, and not what only tests use. */
function isMutable(path: string, lib: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return path.startsWith(`libs/${lib}/`) && name.endsWith(".ts") && !/(?:\.test|^fake|^test-.*|^index)\.ts$/.test(name);
}

/** Every change that Stryker would make to a lib, or of it to these files alone when some are named. */
export async function listMutants(root: string, lib: string, only: readonly string[] = []): Promise<readonly Mutant[]> {
  const entry = join(root, "scripts/mutation/node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  const { Instrumenter } = (await import(pathToFileURL(entry).href)) as InstrumenterModule;
  const files = listFiles(root)
    .filter((path) => isMutable(path, lib) && (only.length === 0 || only.includes(path)))
    .map((path) => ({
      name: join(root, path),
      content: readFileSync(join(root, path), "utf8"),
      mutate: true as const,
    }));
  const options = { plugins: null, excludedMutations: leftOut, ignorers: [], noHeader: false };
  const { mutants } = await new Instrumenter(silent).instrument(files, options);
  const made = mutants.filter(({ status }) => status === undefined);
  return made.map(({ fileName, location, mutatorName, replacement }) => ({
    file: relative(root, fileName),
    start: location.start,
    end: location.end,
    kind: mutatorName,
    replacement,
  }));
}
