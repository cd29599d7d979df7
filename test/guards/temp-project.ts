import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The checked settings. A project gets copies of them, so that a test judges the repository's real ones. */
const settings = [
  "package.json",
  "tsconfig.json",
  "knip.json",
  "vitest.config.ts",
  ".oxlintrc.json",
  ".oxfmtrc.json",
] as const;

export interface ToolRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TempProject {
  readonly root: string;
  /** Runs a tool of node_modules/.bin in the project and waits for it. Throws when it cannot be started. */
  run(tool: string, ...args: readonly string[]): ToolRun;
  remove(): void;
}

/** A throwaway project with our settings, our node_modules and exactly these files (path -> text). */
export function makeProject(files: Readonly<Record<string, string>>): TempProject {
  const root = mkdtempSync(join(tmpdir(), "meshroll-guard-"));
  const bin = join(repository, "node_modules", ".bin");
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  for (const name of settings) copyFileSync(join(repository, name), join(root, name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    run(tool, ...args) {
      const done = spawnSync(join(bin, tool), args, { cwd: root, encoding: "utf8", env: listEnvironment(bin) });
      if (done.error) throw done.error;
      return { code: done.status ?? 1, stdout: done.stdout, stderr: done.stderr };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Our environment without what the outer test run added: a tool must not find out that it runs inside vitest, or in colour. */
function listEnvironment(bin: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|FORCE_COLOR|NODE_OPTIONS)/.test(name));
  return { ...Object.fromEntries(inherited), PATH: `${bin}:${process.env["PATH"] ?? ""}`, NO_COLOR: "1", CI: "1" };
}
