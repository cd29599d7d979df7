import { createHash } from "node:crypto";
import { join } from "node:path";

import {
  type Artifact,
  type ArtifactStore,
  manifestName,
  type Manifest,
  type ManifestFile,
  readManifest,
  receiveFile,
} from "#libs/artifact";
import type { AgentReason } from "#libs/wording";

import type { Disk } from "../disk/port.ts";
import { pointTo } from "../disk/write-whole.ts";
import type { Places } from "./places.ts";

const digestForm = /^[0-9a-f]{64}$/;

/** Digests of complete slots: a slot gets its name only when all of it is on the disk. */
export async function listSlots(disk: Disk, places: Places): Promise<readonly string[]> {
  return (await disk.list(places.slots)).filter((name) => digestForm.test(name));
}

/** The digest of the live slot; undefined = none. */
export async function readCurrent(disk: Disk, places: Places): Promise<string | undefined> {
  const [, digest] = /^slots\/([0-9a-f]{64})$/.exec((await disk.readLink(places.current)) ?? "") ?? [];
  return digest;
}

/** The manifest of a slot; undefined where there is no such slot. */
export async function readSlotManifest(disk: Disk, places: Places, digest: string): Promise<Manifest | undefined> {
  const text = await disk.readText(join(places.slots, digest, manifestName), 256 * 1024);
  if (text === undefined || createHash("sha256").update(text).digest("hex") !== digest) return undefined;
  const { revision, platform } = JSON.parse(text) as Manifest;
  const read = readManifest(Buffer.from(text), { revision, platform });
  return "manifest" in read ? read.manifest : undefined;
}

/** Whether a file has exactly the signed bytes and mode. */
async function isAsSigned(disk: Disk, path: string, { sha256, length, executable }: ManifestFile): Promise<boolean> {
  const found = await disk.stat(path);
  if (found?.kind !== "file" || found.size !== length || found.mode !== (executable ? 0o755 : 0o644)) return false;
  const { hash } = await hashFile(disk, path);
  return hash.digest("hex") === sha256;
}

async function hashFile(disk: Disk, path: string) {
  const hash = createHash("sha256");
  let done = 0;
  for await (const chunk of disk.read(path)) {
    hash.update(chunk);
    done += chunk.byteLength;
  }
  return { hash, done };
}

/** Whether a slot has exactly the signed files, and nothing else. */
export async function isSlotWhole(disk: Disk, places: Places, digest: string): Promise<boolean> {
  const manifest = await readSlotManifest(disk, places, digest);
  if (manifest === undefined) return false;
  const folder = join(places.slots, digest);
  const names = [manifestName, ...manifest.files.map(({ name }) => name)].toSorted();
  if ((await disk.list(folder)).join("/") !== names.join("/")) return false;
  for (const file of manifest.files) if (!(await isAsSigned(disk, join(folder, file.name), file))) return false;
  return true;
}

/** Makes a slot the live one, atomically. */
export async function swapTo(disk: Disk, places: Places, digest: string): Promise<void> {
  await pointTo(disk, places.current, `slots/${digest}`);
}

export async function removeSlot(disk: Disk, places: Places, digest: string): Promise<void> {
  // Its name is removed first: an incomplete slot under that name would count as complete.
  const place = join(places.staging, `${digest}.old`);
  await disk.makeFolder(places.staging);
  await disk.remove(place);
  await disk.rename(join(places.slots, digest), place);
  await disk.syncFolder(places.slots);
  await disk.remove(place);
}

/** Removes slots that are neither live nor to go back to, and remains of earlier tries. */
export async function cleanSlots(disk: Disk, places: Places, keep: ReadonlySet<string>): Promise<void> {
  for (const digest of await listSlots(disk, places)) if (!keep.has(digest)) await removeSlot(disk, places, digest);
  for (const folder of [places.staging, places.downloads]) {
    for (const name of await disk.list(folder)) await disk.remove(join(folder, name));
  }
}

interface Fetching {
  readonly disk: Disk;
  readonly places: Places;
  readonly store: ArtifactStore;
  readonly signal: AbortSignal | undefined;
}

/** Fetches one file, or the rest of it; returns why it is refused. */
async function stageFile(
  { disk, places, store, signal }: Fetching,
  folder: string,
  file: ManifestFile,
): Promise<AgentReason | undefined> {
  const part = join(places.downloads, file.sha256);
  const begun =
    (await disk.stat(part)) === undefined ? { hash: createHash("sha256"), done: 0 } : await hashFile(disk, part);
  if (begun.done > file.length) {
    await disk.remove(part);
    return stageFile({ disk, places, store, signal }, folder, file);
  }
  const writer = await disk.append(part);
  try {
    const refusal = await receiveFile(store, file, begun, async (chunk) => writer.write(chunk), signal);
    if (refusal !== undefined) {
      // A wrong file is fetched from its beginning, not continued: what is there may be what was wrong.
      await disk.remove(part);
      if (begun.done > 0) return await stageFile({ disk, places, store, signal }, folder, file);
      return { code: "ArtifactRefused", refusal };
    }
    await disk.setMode(part, file.executable ? 0o755 : 0o644);
    await writer.sync();
  } finally {
    await writer.close();
  }
  await disk.rename(part, join(folder, file.name));
  return undefined;
}

/** An earlier turn's files are continued: only files of this artifact stay, and each is checked again. */
async function removeForeign(disk: Disk, folder: string, { files }: Manifest): Promise<void> {
  for (const name of await disk.list(folder)) {
    const kind = (await disk.stat(join(folder, name)))?.kind;
    if (kind !== "file" || !files.some((file) => file.name === name)) await disk.remove(join(folder, name));
  }
}

/**
 * Fetches all files of an artifact into a slot and checks each while it arrives. Returns why there is no slot; undefined = it
 * is complete. Throws `StoreUnavailable` and the disk's errors; what was fetched is continued next time.
 */
export async function stageSlot(
  disk: Disk,
  places: Places,
  store: ArtifactStore,
  { digest, manifest, bytes }: Artifact,
  signal?: AbortSignal,
): Promise<AgentReason | undefined> {
  for (const folder of [places.slots, places.downloads, places.staging]) await disk.makeFolder(folder);
  // Twice the size: a full disk would stop other programs of the VM.
  const needs = 2 * manifest.files.reduce((sum, { length }) => sum + length, 0);
  const free = await disk.freeBytes(places.base);
  if (free < needs) return { code: "DiskFull", needs, free };
  const folder = join(places.staging, digest);
  await disk.makeFolder(folder);
  await removeForeign(disk, folder, manifest);
  for (const file of manifest.files) {
    if (await isAsSigned(disk, join(folder, file.name), file)) continue;
    const refused = await stageFile({ disk, places, store, signal }, folder, file);
    if (refused !== undefined) return refused;
  }
  const list = await disk.create(join(folder, manifestName));
  try {
    await list.write(bytes);
    await list.sync();
  } finally {
    await list.close();
  }
  await disk.syncFolder(folder);
  await disk.rename(folder, join(places.slots, digest));
  await disk.syncFolder(places.slots);
  return undefined;
}
