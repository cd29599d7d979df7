import { constants } from "node:fs";
import {
  type FileHandle,
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  statfs,
  symlink,
} from "node:fs/promises";

import type { Disk, FileWriter } from "./port.ts";

const absent: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** Errors of opening a link or a socket without following it. */
const noFile: ReadonlySet<unknown> = new Set(["ELOOP", "ENXIO"]);

async function unlessAbsent<T, U>(work: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code)) return otherwise;
    throw error;
  }
}

function makeWriter(file: FileHandle): FileWriter {
  return {
    async write(chunk) {
      for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
    },
    sync: async () => file.sync(),
    close: async () => file.close(),
  };
}

async function findKind(path: string) {
  const found = await lstat(path);
  const rest = { size: found.size, mode: found.mode & 0o7777 };
  if (found.isSymbolicLink()) return { kind: "link", ...rest } as const;
  if (found.isDirectory()) return { kind: "folder", ...rest } as const;
  return { kind: found.isFile() ? "file" : "other", ...rest } as const;
}

/** Reads a small file. Whatever is under the name, a link is not followed, a pipe not waited for, and the size is limited. */
async function readSmall(path: string, mostBytes: number): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (noFile.has(error.code)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > mostBytes) return undefined;
    // A file may grow while it is read.
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length <= mostBytes; length += got)
      got = (await file.read(bytes, length, bytes.length - length)).bytesRead;
    return length > mostBytes ? undefined : bytes.toString("utf8", 0, length);
  } finally {
    await file.close();
  }
}

/** The disk of this machine. */
export function openDisk(): Disk {
  return {
    readText: async (path, mostBytes) => unlessAbsent(readSmall(path, mostBytes), undefined),
    async *read(path) {
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      yield* file.createReadStream() as AsyncIterable<Buffer>;
    },
    list: async (path) => (await unlessAbsent(readdir(path), [])).toSorted((a, b) => (a < b ? -1 : 1)),
    async readLink(path) {
      const found = await unlessAbsent(lstat(path), undefined);
      return found?.isSymbolicLink() === true ? unlessAbsent(readlink(path), undefined) : undefined;
    },
    stat: async (path) => unlessAbsent(findKind(path), undefined),
    async freeBytes(path) {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    },
    makeFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o755 })),
    create: async (path) =>
      makeWriter(
        await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644),
      ),
    append: async (path) =>
      makeWriter(
        await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600),
      ),
    setMode: async (path, mode) => chmod(path, mode),
    rename: async (from, to) => rename(from, to),
    link: async (target, path) => symlink(target, path),
    remove: async (path) => rm(path, { recursive: true, force: true }),
    async syncFolder(path) {
      const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
  };
}
