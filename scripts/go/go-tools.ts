import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";

import { findOnPath } from "../brokers/programs/program.ts";

/** The programs cannot be had here; the message says what a person can do. */
export class ProgramsMissing extends Error {
  override readonly name = "ProgramsMissing";
}

/** What is compiled, and where what comes of it is kept. */
export interface GoSettings {
  /** Named in messages: `the control plane`. */
  readonly what: string;
  readonly cache: string;
  /** The variable that names another cache. */
  readonly cacheVariable: string;
  /** `PATH`. */
  readonly path: string;
  readonly log: (line: string) => void;
  /** The variable that names what is there already, with the form of its value. */
  readonly ready: string;
}

/** The Go of this machine, with caches of its own below ours. */
export interface GoTools {
  /** Answers what it printed. Throws `ProgramsMissing` with its last words. */
  run(args: readonly string[], folder: string, env?: Readonly<Record<string, string>>): Promise<string>;
  requireDisk(megabytes: number): void;
  /** Says once a minute that it still works, for the Go compiler says nothing; the answer ends that. */
  reportMinutes(): () => void;
  /** Adds what else a person can do. */
  fail(why: string): ProgramsMissing;
}

/** Go's own caches next to ours, so that a compilation that was interrupted goes on where it was. */
function nameFolders(cache: string): Readonly<Record<string, string>> {
  const folders = { GOMODCACHE: "modules", GOCACHE: "objects", GOTMPDIR: "temporary" };
  return Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, join(cache, folder)]));
}

async function runGo(go: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv) {
  const child = spawn(go, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const [printed, said]: [string[], string[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => printed.push(String(chunk)));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed: printed.join(""), said: said.join("") };
}

/** Finds Go. Throws `ProgramsMissing` where there is none. */
export function openGo({ what, cache, cacheVariable, path, log, ready }: GoSettings): GoTools {
  const fail = (why: string): ProgramsMissing =>
    new ProgramsMissing(`${why}\n  or name what is there already:  ${ready}`);
  const go = findOnPath("go", path, ["/usr/local/go/bin"]);
  if (go === undefined) throw fail(`no Go on this machine, and ${what} is compiled here\n  install Go 1.26`);
  const folders = nameFolders(cache);
  for (const folder of [cache, ...Object.values(folders)]) mkdirSync(folder, { recursive: true });
  return {
    fail,
    async run(args, folder, env = {}) {
      const whole = { ...process.env, ...folders, GOTOOLCHAIN: "local", GOFLAGS: "-modcacherw", ...env };
      const { code, printed, said } = await runGo(go, args, folder, whole);
      if (code === 0) return printed;
      throw fail(`go ${args.slice(0, 2).join(" ")} in ${folder} failed:\n${said.slice(-2000)}`);
    },
    requireDisk(megabytes) {
      const { bavail, bsize } = statfsSync(cache);
      const free = Math.floor((bavail * bsize) / 1e6);
      if (free >= megabytes) return;
      const why = `compiling ${what} takes ${megabytes} MB in ${cache}, and ${free} MB are free`;
      throw fail(`${why}\n  choose another folder:  ${cacheVariable}=FOLDER`);
    },
    reportMinutes() {
      const began = Date.now();
      const timer = setInterval(() => {
        log(`compiling ${what}: ${Math.round((Date.now() - began) / 60_000)} min ...`);
      }, 60_000);
      return () => clearInterval(timer);
    },
  };
}
