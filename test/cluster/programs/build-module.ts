import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { findOnPath } from "../../../scripts/brokers/programs/program.ts";
import { type GoModule, keyModule } from "./modules.ts";

/** The programs cannot be had here; the message says what a person can do. */
export class ProgramsMissing extends Error {
  override readonly name = "ProgramsMissing";
}

const otherWays = "  or name a folder that has them:  MESHROLL_CLUSTER_ASSETS=FOLDER";

/** Go, or the reason why nothing is compiled here. */
function findGo(path: string): string {
  const go = findOnPath("go", path, ["/usr/local/go/bin"]);
  if (go !== undefined) return go;
  throw new ProgramsMissing(
    `no Go on this machine, and the control plane is compiled here\n  install Go 1.26\n${otherWays}`,
  );
}

function checkDisk(cache: string, { cold }: GoModule): void {
  const { bavail, bsize } = statfsSync(cache);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free >= cold.megabytes) return;
  throw new ProgramsMissing(
    `compiling takes ${cold.megabytes} MB in ${cache}, and ${free} MB are free\n` +
      `  choose another folder:  MESHROLL_CLUSTER_CACHE=FOLDER\n${otherWays}`,
  );
}

/** Says once a minute that it still works: the Go compiler says nothing. */
function reportMinutes(what: string, log: (line: string) => void): () => void {
  const began = Date.now();
  const timer = setInterval(() => {
    log(`${what}: ${Math.round((Date.now() - began) / 60_000)} min ...`);
  }, 60_000);
  return () => clearInterval(timer);
}

interface Compiling {
  readonly cache: string;
  readonly path: string;
  readonly log: (line: string) => void;
}

/** Go's own caches beside ours, so that a compilation that was interrupted goes on where it was. */
function nameFolders(cache: string): Readonly<Record<string, string>> {
  const folders = { GOMODCACHE: "modules", GOCACHE: "objects", GOTMPDIR: "temporary" };
  return Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, join(cache, folder)]));
}

async function runGo(go: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(go, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(String(chunk)));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code === 0) return;
  throw new ProgramsMissing(`go ${args[0] ?? ""} in ${folder} failed:\n${said.join("").slice(-2000)}\n${otherWays}`);
}

/** The folder with the module's programs; compiled once, kept for all checkouts. Throws `ProgramsMissing`. */
export async function buildModule(module: GoModule, { cache, path, log }: Compiling): Promise<string> {
  const done = join(cache, `${module.name}-${keyModule(module)}`);
  if (findOnPath("built", "", [done]) !== undefined) return done;
  const go = findGo(path);
  const folders = nameFolders(cache);
  for (const folder of [cache, ...Object.values(folders)]) mkdirSync(folder, { recursive: true });
  checkDisk(cache, module);
  log(`compiling ${module.name} into ${cache} (once; ${module.cold.minutes} min on two idle cores) ...`);
  const work = `${done}.${process.pid}`;
  const stop = reportMinutes(`compiling ${module.name}`, log);
  const stamps = Object.entries(module.stamps).map(([name, value]) => `-X ${name}=${value}`);
  const flags = ["build", "-trimpath", "-ldflags", ["-s", "-w", ...stamps].join(" "), "-o", `${work}/`];
  const env = { ...process.env, ...folders, GOTOOLCHAIN: "local", CGO_ENABLED: "0", GOFLAGS: "-modcacherw" };
  try {
    mkdirSync(work, { recursive: true });
    await runGo(go, [...flags, ...module.packages], module.folder, env);
    // An empty program as the last file: a folder that lacks it was never finished.
    writeFileSync(join(work, "built"), "", { mode: 0o755 });
    rmSync(done, { recursive: true, force: true });
    renameSync(work, done);
  } finally {
    stop();
    rmSync(work, { recursive: true, force: true });
  }
  return done;
}
