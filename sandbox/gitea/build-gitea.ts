import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { findOnPath } from "../../scripts/brokers/programs/program.ts";
import { type GoTools, openGo } from "../../scripts/go/go-tools.ts";

/** The release to compile, and its module's checksum: a module with other contents is refused. */
const release = {
  module: "code.gitea.io/gitea",
  version: "1.24.6",
  sum: "h1:BrHATK2cfr/hkJc8cc2W/1lWTVhyCxa1NQMHvEVeLWM=",
  tags: "sqlite sqlite_unlock_notify",
} as const;

/** The cost without caches, on two idle cores. */
const cold = { minutes: 7, megabytes: 6_000 } as const;

/** Folders that the server reads next to its program. */
const parts: readonly string[] = ["templates", "options", "public"];

export interface GiteaProgram {
  readonly path: string;
  /** Folder of templates and public files; absent: they are inside the program. */
  readonly statics?: string;
}

interface Finding {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

function locateCache(env: Finding["env"]): string {
  const { MESHROLL_FORGE_CACHE: own, XDG_CACHE_HOME: shared } = env;
  if (own !== undefined && own !== "") return own;
  const base = shared !== undefined && shared !== "" ? shared : join(homedir(), ".cache");
  return join(base, "meshroll/forge");
}

/**
 * The module's folder in Go's own cache. None of our modules requires it, because then its `replace` lines would be ignored.
 */
async function download(go: GoTools, folder: string): Promise<string> {
  const { module, version, sum } = release;
  const told = await go.run(["mod", "download", "-json", `${module}@v${version}`], folder);
  const { Dir: place, Sum: found } = JSON.parse(told) as { readonly Dir: string; readonly Sum: string };
  if (found !== sum)
    throw go.fail(`${module}@v${version} has the checksum ${found}, and ${sum} is the one that is known`);
  return place;
}

async function compile(go: GoTools, work: string): Promise<void> {
  const source = join(work, "source");
  cpSync(await download(go, work), source, { recursive: true });
  const stamp = `-s -w -X main.Version=${release.version}`;
  const flags = ["build", "-trimpath", "-tags", release.tags, "-ldflags", stamp, "-o", join(work, "gitea"), "."];
  await go.run(flags, source, { CGO_ENABLED: "1" });
  for (const part of parts) cpSync(join(source, part), join(work, "statics", part), { recursive: true });
  rmSync(source, { recursive: true, force: true });
}

/** A released program has its templates inside; one that was compiled here has them next to it. */
function describeNamed(path: string): GiteaProgram {
  const statics = join(dirname(path), "statics");
  return existsSync(statics) ? { path, statics } : { path };
}

/** The Gitea named in the environment, else one compiled here, once for all checkouts. Throws `ProgramsMissing`. */
export async function findGitea({ env, log }: Finding): Promise<GiteaProgram> {
  const named = env["MESHROLL_FORGE_GITEA"];
  if (named !== undefined && named !== "") return describeNamed(named);
  const cache = locateCache(env);
  const key = createHash("sha256").update(JSON.stringify(release)).digest("hex").slice(0, 16);
  const done = join(cache, `gitea-${release.version}-${key}`);
  const program = { path: join(done, "gitea"), statics: join(done, "statics") };
  if (findOnPath("built", "", [done]) !== undefined) return program;
  const path = env["PATH"] ?? "";
  const names = { cacheVariable: "MESHROLL_FORGE_CACHE", ready: "MESHROLL_FORGE_GITEA=PROGRAM" };
  const go = openGo({ what: "Gitea", cache, path, log, ...names });
  if (findOnPath("cc", path) === undefined) throw go.fail("no C compiler on this machine, and Gitea's SQLite is C");
  go.requireDisk(cold.megabytes);
  log(`compiling Gitea ${release.version} into ${cache} (once; ${cold.minutes} min on two idle cores) ...`);
  const work = `${done}.${process.pid}`;
  const stop = go.reportMinutes();
  try {
    mkdirSync(work, { recursive: true });
    await compile(go, work);
    // Written last, so that a folder without it is known to be unfinished.
    writeFileSync(join(work, "built"), "", { mode: 0o755 });
    rmSync(done, { recursive: true, force: true });
    renameSync(work, done);
  } finally {
    stop();
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}
