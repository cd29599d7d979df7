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
    // No marker or an unreadable one: the clone is not ours.
    return undefined;
  }
}

async function empty(folder: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(folder)) {
    // The marker is removed last: after a kill the folder is still known to be ours.
    if (name !== markerName && !kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Makes the folder an empty bare repository of this address. Only a folder with our marker is ever deleted. */
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
  // Notes of the same repository stay valid for the new clone.
  await empty(folder, (await readMarker(folder)) === marker ? [notesFolder] : []);
  await writeFile(join(folder, markerName), marker);
  // Without a template: the operator's own hooks and settings do not apply.
  await git(["init", "--quiet", "--bare", "--template=", folder]);
}

/** Whether the folder holds our bare clone of this address. */
async function isOurClone(folder: string, url: string, git: RunGit): Promise<boolean> {
  if ((await readMarker(folder)) !== JSON.stringify({ url })) return false;
  try {
    return (await git(["rev-parse", "--is-bare-repository"])).trim() === "true";
  } catch {
    return false;
  }
}

/** Reuses an earlier process's clone, or makes a new one where it is missing, damaged or of another address. */
export async function openClone(folder: string, url: string, git: RunGit): Promise<void> {
  if (!(await isOurClone(folder, url, git))) await renewClone(folder, url, git);
}

/** Strangers' commits take more of the disk than allowed: the clone is replaced by a new one without them. */
export class CloneFull extends Error {
  override readonly name = "CloneFull";

  constructor() {
    super("the clone has grown beyond its share of the disk, and is made again");
  }
}

/** Bytes of all objects, with the remains of killed fetches. */
export async function measureClone(git: RunGit): Promise<number> {
  const counted = await git(["count-objects", "-v"]);
  const kibibytes = [...counted.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gm)].map((match) => Number(match[1]));
  return kibibytes.reduce((sum, each) => sum + each, 0) * 1024;
}
