import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

/** The npm package as users have it: packed, and installed by `npm install --global`. */
export interface Installed {
  readonly folder: string;
  readonly tarball: string;
  /** Folder of the commands. */
  readonly bin: string;
  /** Folder of the package's files. */
  readonly root: string;
  /** Folders with a program `node`, by version. */
  readonly nodes: Readonly<Record<string, string>>;
}

declare module "vitest" {
  export interface ProvidedContext {
    readonly installed: Installed;
  }
}

/** A version that is too old, the oldest that the package supports of each line, and one in between. */
const versions = ["20.19.0", "22.19.0", "22.21.1", "24.0.0"] as const;

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Runs npm; returns stdout, throws with stderr when it fails. */
export function runNpm(args: readonly string[], cwd: string): string {
  const { npm_command: _, npm_lifecycle_event: __, ...env } = process.env;
  const done = spawnSync("npm", args, { cwd, env, encoding: "utf8" });
  if (done.status === 0) return done.stdout;
  throw new Error(`npm ${args.join(" ")} failed: ${done.error?.message ?? done.stderr}`);
}

/** The npm package that contains Node for this machine. */
function nameNode(version: string): string {
  const isBin = process.platform === "darwin" && process.arch === "arm64";
  return `node-${isBin ? "bin-" : ""}${process.platform}-${process.arch}@${version}`;
}

function installNode(folder: string, version: string): string {
  const prefix = join(folder, `node ${version}`);
  mkdirSync(prefix);
  runNpm(["install", "--no-save", "--prefix", prefix, nameNode(version)], folder);
  const name = nameNode(version).replace(/@.*/, "");
  return join(prefix, "node_modules", name, "bin");
}

/** Builds, packs and installs once for all tests, in a folder whose name has a space and a non-ASCII letter. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "meshroll ä-"));
  const said = runNpm(["run", "--silent", "package"], repository).trim();
  const tarball = join(repository, "dist", basename(said.split("\n").at(-1) ?? ""));
  const prefix = join(folder, "prefix");
  runNpm(["install", "--global", "--prefix", prefix, tarball], folder);
  const bin = join(prefix, "bin");
  if (!existsSync(join(bin, "meshroll"))) throw new Error(`npm put no meshroll into ${bin}`);
  const older = versions.map((version) => [version, installNode(folder, version)] as const);
  const nodes = Object.fromEntries([...older, [process.versions.node, dirname(process.execPath)]]);
  project.provide("installed", { folder, tarball, bin, root: join(prefix, "lib", "node_modules", "meshroll"), nodes });
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The PATH of a shell in which this Node version and the package are installed. */
export function makePath({ bin, nodes }: Installed, version: string): string {
  return [nodes[version], bin, process.env["PATH"]].join(delimiter);
}
