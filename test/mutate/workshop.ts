import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

import { nameVariable } from "./tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** One namespace has another revision than all others. */
export const rollouts = "production:\n  1-24-5: 100\nshop:\n  1-25-2: 100\n";

/** The lines that `mutate` adds to a Deployment of `shop`, trimmed, in the order of the text. */
export const wantLines = [
  "annotations:",
  'meshroll.dev/mutated-at: "2026-11-24T10:00:00Z"',
  'istio.io/rev: "1-25-2"',
] as const;

export interface Workshop {
  readonly folder: string;
  /** Writes files into the folder. */
  add(files: Readonly<Record<string, string>>): void;
  /** Copies files that the repository ships. */
  copy(from: string, to: string): void;
  /** Runs a tool in the folder; returns stdout. Throws when it fails. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): string;
  /**
   * The same, for one that may fail. Its standard error is a pipe, as in CI: what Node itself would give it is a socket, which
   * no other process can open.
   */
  attempt(command: string, args: readonly string[]): Attempt;
}

export interface Attempt {
  readonly code: number | null;
  readonly printed: string;
  readonly said: string;
}

/** The real tools, by the names under which they are on the PATH. */
const tools = ["kustomize", "helm3", "helm4", "pre-commit"];

/** A folder with a space in its name, with `meshroll` and the real tools on the PATH, and a fixed SOURCE_DATE_EPOCH. */
export function openWorkshop(): Workshop {
  const base = mkdtempSync(join(tmpdir(), "meshroll mutate "));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, "work");
  const bin = join(base, "bin");
  mkdirSync(folder);
  mkdirSync(bin);
  writeTool(bin, "meshroll", `exec "${process.execPath}" "${join(root, "bin/meshroll.mjs")}" "$@"`);
  for (const tool of tools) writeTool(bin, tool, `exec "${process.env[nameVariable(tool)] ?? ""}" "$@"`);
  const start = (command: string, args: readonly string[], given: Readonly<Record<string, string>>) => {
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
      XDG_CACHE_HOME: join(base, "cache"),
      XDG_CONFIG_HOME: join(base, "config"),
      XDG_DATA_HOME: join(base, "data"),
      SOURCE_DATE_EPOCH: "1795514400",
      ...given,
    };
    const done = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
    if (done.error !== undefined) throw done.error;
    return done;
  };
  return {
    folder,
    add(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    },
    copy: (from, to) => cpSync(join(root, from), join(folder, to), { recursive: true }),
    run(command, args, given = {}) {
      const { status, stdout, stderr } = start(command, args, given);
      if (status === 0) return stdout;
      throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stderr}${stdout}`);
    },
    attempt(command, args) {
      const script = '{ "$@" 2>&1 >&3 3>&- | cat >&2; exit "${PIPESTATUS[0]}"; } 3>&1';
      const { status, stdout, stderr } = start("bash", ["-c", script, "bash", command, ...args], {});
      return { code: status, printed: stdout, said: stderr };
    },
  };
}

function writeTool(bin: string, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** Lines that the second text has in addition to the first, trimmed. Removed lines are not reported. */
export function listAdded(before: string, after: string): readonly string[] {
  const left = before.split("\n");
  return after.split("\n").flatMap((line) => {
    if (line === left[0]) {
      left.shift();
      return [];
    }
    return [line.trim()];
  });
}
