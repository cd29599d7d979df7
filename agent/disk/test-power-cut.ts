import { appendFile, chmod, lstat, mkdir, readdir, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";

import type { Disk, FileWriter } from "./port.ts";

interface FileRecord {
  size: number;
  syncedSize: number;
  mode: number;
  syncedMode: number;
}

interface Change {
  readonly folders: readonly string[];
  undo(): Promise<void>;
}

/** The fault of a disk that is gone. */
class PowerCut extends Error {
  readonly code = "EIO";
}

/** A disk that loses its power after a given cost of steps and bytes. */
export interface FailingDisk extends Disk {
  isCut(): boolean;
  /** The cost so far. */
  spent(): number;
  /** The cost before each step that is not a write: a cut at one of these comes between two changes of names. */
  steps(): readonly number[];
  /** Loses names, bytes and modes that were not synced, from a random moment on, as a real disk does. */
  loseUnsynced(): Promise<void>;
}

const parentOf = (path: string): string => join(path, "..");

/**
 * Wraps a disk. A step that changes a name costs 1, a write 1 for each byte, so a cut may come in the middle of a write. Of the
 * names changed since the last sync a random first part stays, in order, as with a journal. Of each file's bytes since its own
 * sync a random first part stays; the rest is missing, or zeros. `graveyard` is an empty folder on the same disk.
 */
export function createFailingDisk(disk: Disk, budget: number, graveyard: string, random: () => number): FailingDisk {
  const files = new Map<string, FileRecord>();
  const changes: Change[] = [];
  let durable = 0;
  const steps: number[] = [];
  let spent = 0;
  let isCut = false;
  let buried = 0;

  function pay(cost: number): number {
    if (isCut) throw new PowerCut("the power is cut");
    const paid = Math.min(cost, budget - spent);
    spent += paid;
    if (paid < cost) isCut = true;
    return paid;
  }

  function step(): void {
    steps.push(spent);
    if (pay(1) === 0) throw new PowerCut("the power is cut");
  }

  function moveRecords(from: string, to: string): void {
    for (const [path, record] of Array.from(files)) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      files.delete(path);
      files.set(to + path.slice(from.length), record);
    }
  }

  async function move(from: string, to: string): Promise<void> {
    await rename(from, to);
    moveRecords(from, to);
  }

  /** Moves what has a name out of the way, so that it can be restored. */
  async function bury(path: string): Promise<string | undefined> {
    if ((await disk.stat(path)) === undefined) return undefined;
    buried += 1;
    const place = join(graveyard, String(buried));
    await move(path, place);
    return place;
  }

  function wrap(writer: FileWriter, path: string): FileWriter {
    const record = files.get(path);
    if (record === undefined) throw new Error(`${path} is not followed`);
    return {
      async write(chunk) {
        const paid = pay(chunk.byteLength);
        await writer.write(chunk.subarray(0, paid));
        record.size += paid;
        if (paid < chunk.byteLength) throw new PowerCut("the power is cut");
      },
      async sync() {
        step();
        record.syncedSize = record.size;
        record.syncedMode = record.mode;
      },
      close: async () => writer.close(),
    };
  }

  async function loseBytes(path: string, record: FileRecord): Promise<void> {
    if (record.mode !== record.syncedMode && random() < 0.5) await chmod(path, record.syncedMode);
    if (record.size === record.syncedSize) return;
    const kept = record.syncedSize + Math.floor(random() * (record.size - record.syncedSize + 1));
    await truncate(path, kept);
    if (random() < 0.5) await appendFile(path, Buffer.alloc(record.size - kept));
  }

  return {
    isCut: () => isCut,
    spent: () => spent,
    steps: () => steps,
    readText: async (path, most) => disk.readText(path, most),
    read: (path) => disk.read(path),
    list: async (path) => disk.list(path),
    readLink: async (path) => disk.readLink(path),
    stat: async (path) => disk.stat(path),
    freeBytes: async (path) => disk.freeBytes(path),
    async makeFolder(path) {
      step();
      const first = await mkdir(path, { recursive: true });
      if (first === undefined) return;
      changes.push({ folders: [parentOf(first)], undo: async () => rm(first, { recursive: true, force: true }) });
    },
    async create(path) {
      step();
      const writer = await disk.create(path);
      files.set(path, { size: 0, syncedSize: 0, mode: 0o644, syncedMode: 0o644 });
      changes.push({ folders: [parentOf(path)], undo: async () => rm(path, { force: true }) });
      return wrap(writer, path);
    },
    async append(path) {
      step();
      const before = await lstat(path).catch(() => undefined);
      const writer = await disk.append(path);
      if (before === undefined) {
        files.set(path, { size: 0, syncedSize: 0, mode: 0o600, syncedMode: 0o600 });
        changes.push({ folders: [parentOf(path)], undo: async () => rm(path, { force: true }) });
      } else if (!files.has(path)) {
        const [size, mode] = [before.size, before.mode & 0o7777];
        files.set(path, { size, syncedSize: size, mode, syncedMode: mode });
      }
      return wrap(writer, path);
    },
    async setMode(path, mode) {
      step();
      await disk.setMode(path, mode);
      const record = files.get(path);
      if (record !== undefined) record.mode = mode;
    },
    async rename(from, to) {
      step();
      const replaced = await bury(to);
      await move(from, to);
      const undo = async (): Promise<void> => {
        await move(to, from);
        if (replaced !== undefined) await move(replaced, to);
      };
      changes.push({ folders: [parentOf(from), parentOf(to)], undo });
    },
    async link(target, path) {
      step();
      await disk.link(target, path);
      changes.push({ folders: [parentOf(path)], undo: async () => rm(path, { force: true }) });
    },
    async remove(path) {
      step();
      const place = await bury(path);
      if (place !== undefined) changes.push({ folders: [parentOf(path)], undo: async () => move(place, path) });
    },
    async syncFolder(path) {
      step();
      const last = changes.findLastIndex(({ folders }) => folders.includes(path));
      durable = Math.max(durable, last + 1);
    },
    async loseUnsynced() {
      const kept = durable + Math.floor(random() * (changes.length - durable + 1));
      for (const change of changes.splice(kept).toReversed()) await change.undo();
      for (const [path, record] of files) {
        if ((await disk.stat(path))?.kind === "file") await loseBytes(path, record);
      }
      for (const name of await readdir(graveyard)) await rm(join(graveyard, name), { recursive: true, force: true });
    },
  };
}
