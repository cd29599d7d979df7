import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { GitRefused } from "../errors.ts";
import { notesFolder } from "./clone-notes.ts";
import type { RunGit } from "../process/run-git.ts";

const markerName = "meshroll-clone.json";

async function readMarker(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, markerName), "utf8");
  } catch {
    // No marker or an unreadable one: not ours either way, and the caller decides what that means.
    return undefined;
  }
}

async function empty(folder: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(folder)) {
    // The marker goes last: after a kill midway the folder is still known to be ours.
    if (name !== markerName && !kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Makes the folder an empty bare repository of this address. Only what carries our marker is ever deleted. */
export async function renewClone(folder: string, url: string, git: RunGit): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (names.length > 0 && !names.includes(markerName)) {
    throw new GitRefused(
      `the folder ${folder} for meshroll's clone holds something that meshroll did not make`,
      `name an empty folder, or look at this one and remove it: rm -r ${folder}`,
    );
  }
  const marker = JSON.stringify({ url });
  // What was noted of this very repository holds for its next clone too.
  await empty(folder, (await readMarker(folder)) === marker ? [notesFolder] : []);
  await writeFile(join(folder, markerName), marker);
  // An empty template: hooks and settings of the operator's own template have no business here.
  await git(["init", "--quiet", "--bare", "--template=", folder]);
}

/** True when the folder holds our bare clone of this address. */
async function isOurClone(folder: string, url: string, git: RunGit): Promise<boolean> {
  if ((await readMarker(folder)) !== JSON.stringify({ url })) return false;
  try {
    return (await git(["rev-parse", "--is-bare-repository"])).trim() === "true";
  } catch {
    return false;
  }
}

/** Takes over the clone of an earlier process, or makes a new one where that is missing, damaged or of another address. */
export async function openClone(folder: string, url: string, git: RunGit): Promise<void> {
  if (!(await isOurClone(folder, url, git))) await renewClone(folder, url, git);
}

/** What strangers' commits took of the disk is more than they get: a new clone begins without them. */
export class CloneFull extends Error {
  override readonly name = "CloneFull";

  constructor() {
    super("the clone has grown beyond its share of the disk, and is made again");
  }
}

/** Bytes of all objects, what a killed fetch left behind included. */
export async function measureClone(git: RunGit): Promise<number> {
  const counted = await git(["count-objects", "-v"]);
  const kibibytes = [...counted.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gm)].map((match) => Number(match[1]));
  return kibibytes.reduce((sum, each) => sum + each, 0) * 1024;
}
