import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { locateCache, nameVariable } from "./tools.ts";

/** A program, or why it cannot be had on this machine. */
export type PreCommit = { readonly path: string } | { readonly missing: string };

const requirements = fileURLToPath(new URL("modules/pre-commit/requirements.txt", import.meta.url));

/** The last lines of a program that failed; undefined where it did not. */
function explainFailure(command: string, args: readonly string[]): string | undefined {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : `${command} ${args.slice(0, 3).join(" ")}: ${`${stdout}${stderr}`.slice(-500)}`;
}

/** Installs pre-commit by pip, once for all checkouts. A virtual environment cannot be moved, so it is made where it stays. */
export function findPreCommit(env: NodeJS.ProcessEnv, log: (line: string) => void): PreCommit {
  const given = env[nameVariable("pre-commit")] ?? "";
  if (given !== "") return { path: given };
  const key = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 16);
  const folder = join(locateCache(env), `pre-commit-${key}`);
  const path = join(folder, "bin", "pre-commit");
  const built = join(folder, "requirements.txt");
  if (existsSync(built)) return { path };
  log(`installing pre-commit into ${folder} (once) ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const python = join(folder, "bin", "python");
  const missing =
    explainFailure("python3", ["-m", "venv", folder]) ??
    explainFailure(python, ["-m", "pip", "install", "--no-input", "--quiet", "--requirement", requirements]);
  if (missing !== undefined) return { missing };
  // Written last: a folder without this file is incomplete.
  copyFileSync(requirements, built);
  return { path };
}
