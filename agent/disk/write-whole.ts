import { dirname } from "node:path";

import type { Disk } from "./port.ts";

/** Replaces a file, with this mode where one is given: after a power cut it has either the old or the new content. */
export async function writeWhole(disk: Disk, path: string, bytes: Uint8Array | string, mode?: number): Promise<void> {
  const next = `${path}.next`;
  await disk.remove(next);
  const file = await disk.create(next);
  try {
    // Before there is anything to read.
    if (mode !== undefined) await disk.setMode(next, mode);
    await file.write(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(next, path);
  await disk.syncFolder(dirname(path));
}

/** Points a symbolic link elsewhere, without a moment in which it points nowhere. */
export async function pointTo(disk: Disk, path: string, target: string): Promise<void> {
  const next = `${path}.next`;
  await disk.remove(next);
  await disk.link(target, next);
  await disk.rename(next, path);
  await disk.syncFolder(dirname(path));
}
