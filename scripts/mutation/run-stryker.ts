import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { leftOut } from "./left-out.ts";
import type { PureLib } from "./libs.ts";
import { type Mutant, nameMutant } from "./mutant.ts";

/** A mutant with what became of it, in Stryker's words. */
export interface Judged {
  readonly mutant: Mutant;
  readonly status: string;
}

/** What we read of Stryker's report; lines and columns count from 1 there. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Reported[] }>>;
}

interface Reported {
  readonly location: { readonly start: Mutant["start"]; readonly end: Mutant["start"] };
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
}

function writeConfig(folder: string, chosen: readonly Mutant[], lanes: number): string {
  const path = join(folder, "stryker.json");
  const config = {
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner", "./scripts/mutation/chosen-checker.ts"],
    checkers: ["chosen"],
    mutate: [...new Set(chosen.map(({ file }) => file))],
    mutator: { excludedMutations: leftOut },
    coverageAnalysis: "perTest",
    concurrency: lanes,
    tempDirName: join(folder, "copies"),
    ignorePatterns: [".git", ".run", ".demo"],
    // Stryker would rewrite paths in it by a function that TypeScript 7 has no more; nothing here needs it.
    tsconfigFile: "none.json",
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: join(folder, "report.json") },
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 20,
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function readReport(path: string): readonly Judged[] {
  const { files } = JSON.parse(readFileSync(path, "utf8")) as Report;
  const fromOne = ({ line, column }: Mutant["start"]) => ({ line: line - 1, column: column - 1 });
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map(({ location, mutatorName, replacement, status }) => ({
      mutant: {
        file,
        start: fromOne(location.start),
        end: fromOne(location.end),
        kind: mutatorName,
        replacement: replacement ?? "",
      },
      status,
    })),
  );
}

/** Runs the lib's tests against each chosen mutant. Throws when they fail without any. Stryker's own words go to stderr. */
export async function runStryker(
  root: string,
  folder: string,
  lib: PureLib,
  chosen: readonly Mutant[],
  lanes: number,
): Promise<readonly Judged[]> {
  mkdirSync(folder, { recursive: true });
  const names = chosen.map(nameMutant);
  writeFileSync(join(folder, "chosen.json"), JSON.stringify(names));
  const entry = join(root, "scripts/mutation/node_modules/@stryker-mutator/core/bin/stryker.js");
  const child = spawn(process.execPath, [entry, "run", writeConfig(folder, chosen, lanes)], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    env: {
      ...process.env,
      MESHROLL_MUTATION_ROOT: root,
      MESHROLL_MUTATION_CHOSEN: join(folder, "chosen.json"),
      MESHROLL_MUTATION_TESTS: lib.tests.join(","),
    },
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`mutation: Stryker could not test libs/${lib.name}; what it said stands above`);
  const known = new Set(names);
  return readReport(join(folder, "report.json")).filter(({ mutant }) => known.has(nameMutant(mutant)));
}
