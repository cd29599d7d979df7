import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";

import { makePlaces } from "../slots/places.ts";

const form = /^[0-9a-f]{64}$/;

/** The secret that marks this VM's proxies; undefined: none was started yet. */
export async function readMark(root: string): Promise<string | undefined> {
  try {
    const text = await readFile(makePlaces(root).mark, "utf8");
    return form.test(text) ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The same, created where it is missing. Only root can read it, and a process's environment is visible to its own user only, so
 * other users cannot give it to their processes.
 */
export async function makeMark(root: string): Promise<string> {
  const known = await readMark(root);
  if (known !== undefined) return known;
  const { base, mark } = makePlaces(root);
  const made = randomBytes(32).toString("hex");
  await mkdir(base, { recursive: true, mode: 0o755 });
  await rm(`${mark}.next`, { force: true });
  const file = await open(`${mark}.next`, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(made);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${mark}.next`, mark);
  return made;
}
