import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pureLibs } from "./libs.ts";
import { type Mutant, applyMutant } from "./mutant.ts";

/** Only what a type says counts: an unused name or a line that is never reached is no reason to refuse a mutant. */
const settings = {
  extends: "./tsconfig.json",
  compilerOptions: {
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
    // Dozens of rounds: the next one looks only at what the round before left changed.
    incremental: true,
    tsBuildInfoFile: "./types.tsbuildinfo",
  },
  include: pureLibs.map(({ name }) => `libs/${name}`),
  exclude: ["**/*.test.ts", "**/conformance*.ts"],
};

/** Makes a copy of the libs in `folder` that the compiler takes; an older copy goes. */
function copyLibs(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["libs", "package.json", "tsconfig.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "tsconfig.mutation.json"), JSON.stringify(settings));
}

/** The files that the compiler finds fault with. */
function compile(folder: string): ReadonlySet<string> {
  const args = ["--pretty", "false", "--project", "tsconfig.mutation.json"];
  const done = spawnSync("tsc", args, { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (done.error !== undefined) throw new Error("mutation: tsc cannot be started", { cause: done.error });
  return new Set([...done.stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map((match) => match[1] ?? ""));
}

/** Rounds of at most one mutant for each file. */
function planRounds(mutants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const rounds: Mutant[][] = [];
  const seen = new Map<string, number>();
  for (const mutant of mutants) {
    const round = seen.get(mutant.file) ?? 0;
    seen.set(mutant.file, round + 1);
    (rounds[round] ??= []).push(mutant);
  }
  return rounds;
}

/**
 * The mutants that the compiler takes. Each round compiles one mutant of every file at once, and a fault counts against
 * the mutant of its own file. Throws when the libs do not compile as they are.
 */
export function checkTypes(root: string, folder: string, mutants: readonly Mutant[]): readonly Mutant[] {
  copyLibs(root, folder);
  const broken = compile(folder);
  if (broken.size > 0) throw new Error(`mutation: ${[...broken].join(", ")} does not compile; fix it: npx tsc`);
  return planRounds(mutants).flatMap((round) => {
    for (const mutant of round) {
      writeFileSync(join(folder, mutant.file), applyMutant(readFileSync(join(root, mutant.file), "utf8"), mutant));
    }
    const refused = compile(folder);
    for (const { file } of round) cpSync(join(root, file), join(folder, file));
    return round.filter(({ file }) => !refused.has(file));
  });
}
