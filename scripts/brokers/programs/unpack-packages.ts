import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { readOsRelease } from "./advise-install.ts";
import { isAlive } from "./pid-file.ts";
import { findOnPath, judgeProgram, type Program, type ProgramKind } from "./program.ts";

const run = promisify(execFile);

export interface Unpacking {
  /** Where binaries are unpacked; kept from one run to the next. */
  readonly folder: string;
  readonly path: string;
  readonly log: (line: string) => void;
}

/** Folder name for this distribution: the same checkout may be mounted into containers of other distributions. @internal */
export function nameSystem(): string {
  const release = readOsRelease();
  const read = (key: string) => new RegExp(`^${key}="?([\\w.-]+)`, "m").exec(release)?.[1] ?? "unknown";
  return `${read("ID")}-${read("VERSION_ID")}-${process.arch}`;
}

/** Options that give apt its own lists and cache: no root is needed, and the system's apt stays unchanged. */
function listAptOptions(folder: string): readonly string[] {
  const settings = [
    `Dir::State::lists=${join(folder, "lists")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    "Debug::NoLocking=1",
    // As root, apt would read the folder as the user _apt, who has no access.
    "APT::Sandbox::User=",
  ];
  return ["-qq", ...settings.flatMap((setting) => ["-o", setting])];
}

async function runApt(folder: string, args: readonly string[], cwd = folder): Promise<string> {
  // Takes ten seconds; minutes on a machine that runs other tests.
  const options = { cwd, timeout: 600_000, maxBuffer: 1 << 24, env: { ...process.env, LC_ALL: "C" } };
  const { stdout } = await run("apt-get", [...listAptOptions(folder), ...args], options);
  return stdout;
}

/** Removes work folders of processes that were killed. */
function removeStale(folder: string): void {
  for (const stale of globSync(join(folder, "unpacking-*"))) {
    if (!isAlive(Number(stale.split("-").at(-1)))) rmSync(stale, { recursive: true, force: true });
  }
}

/** Creates a work folder with fresh apt lists; the caller removes it at the end. @internal */
export async function openWorkFolder(folder: string): Promise<string> {
  removeStale(folder);
  const work = join(folder, `unpacking-${process.pid}`);
  for (const each of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(work, each), { recursive: true });
  await runApt(work, ["update"]);
  return work;
}

/** Downloads the package and the dependencies that are not installed, and unpacks all into `root`. @internal */
export async function unpackPackageInto(root: string, work: string, packageName: string): Promise<void> {
  const debs = join(work, packageName);
  mkdirSync(debs);
  mkdirSync(root, { recursive: true });
  const plan = await runApt(work, ["-s", "install", "--no-install-recommends", packageName]);
  const needed = plan.split("\n").flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []);
  // The plan omits the package itself when it is already installed.
  await runApt(work, ["download", ...new Set([packageName, ...needed])], debs);
  for (const deb of globSync(join(debs, "*.deb"))) await run("dpkg-deb", ["-x", deb, root]);
}

function describeUnpacked(root: string, { source }: ProgramKind): Program {
  // The folder of libraries is named after the architecture.
  const libraries = globSync(join(root, "{usr/lib,lib}/*/")).join(":");
  return { path: join(root, source.program), env: libraries === "" ? {} : { LD_LIBRARY_PATH: libraries } };
}

function isUsable(kind: ProgramKind, program: Program): boolean {
  return existsSync(program.path) && judgeProgram(kind, program) === undefined;
}

/** Unpacks one server next to `root` and renames it, so that a killed or a parallel process leaves no partial folder. */
async function unpackOne(kind: ProgramKind, root: string, work: string): Promise<void> {
  const { packageName, file, program } = kind.source;
  const fresh = join(work, `${kind.name}-root`);
  await unpackPackageInto(fresh, work, packageName);
  symlinkSync(file, join(fresh, program));
  const problem = judgeProgram(kind, describeUnpacked(fresh, kind));
  if (problem !== undefined) throw new Error(problem);
  if (isUsable(kind, describeUnpacked(root, kind))) return;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(root), { recursive: true });
  renameSync(fresh, root);
}

/** Servers from the distribution's packages, unpacked into `folder`. Empty where there is no apt; a failure is logged. */
export async function unpackPackages<Kind extends ProgramKind>(
  kinds: readonly Kind[],
  { folder, path, log }: Unpacking,
): Promise<ReadonlyMap<Kind, Program>> {
  const places = kinds.map((kind) => ({ kind, root: join(folder, nameSystem(), kind.name) }));
  const listUsable = () => {
    const usable = places.map(({ kind, root }) => [kind, describeUnpacked(root, kind)] as const);
    return new Map(usable.filter(([kind, program]) => isUsable(kind, program)));
  };
  const found = listUsable();
  const missing = places.filter(({ kind }) => !found.has(kind));
  const hasApt = ["apt-get", "dpkg-deb"].every((tool) => findOnPath(tool, path) !== undefined);
  if (missing.length === 0 || !hasApt) return found;

  const packages = missing.map(({ kind }) => kind.source.packageName).join(" and ");
  log(`fetching ${packages} (once; nothing is installed) ...`);
  let work: string | undefined;
  try {
    work = await openWorkFolder(folder);
    for (const { kind, root } of missing) await unpackOne(kind, root, work);
  } catch (error) {
    log(`could not unpack it: ${error instanceof Error ? error.message.trim() : String(error)}`);
  } finally {
    if (work !== undefined) rmSync(work, { recursive: true, force: true });
  }
  return listUsable();
}
