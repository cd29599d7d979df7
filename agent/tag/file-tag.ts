import { dirname } from "node:path";

import type { Disk, Stat } from "../disk/port.ts";
import { parseTag } from "./parse-tag.ts";
import type { TagSource } from "./port.ts";

const mostBytes = 4096;

const anyUser = 0o002;

/** The part of the tag's path that any user of the machine may change: such a tag is not its owner's. */
async function findOpen(disk: Disk, path: string, found: Stat): Promise<string | undefined> {
  if (found.kind === "file" && (found.mode & anyUser) !== 0) return path;
  const folder = await disk.stat(dirname(path));
  return folder?.kind === "folder" && (folder.mode & anyUser) !== 0 ? dirname(path) : undefined;
}

/** A tag in a file, written by a cloud's tool or by a person. */
export function openFileTag(disk: Disk, path: string): TagSource {
  return {
    async read() {
      try {
        const found = await disk.stat(path);
        if (found === undefined) return { kind: "unset" };
        const open = await findOpen(disk, path, found);
        if (open !== undefined) return { kind: "unknown", why: `every user of this machine may write ${open}` };
        const text = await disk.readText(path, mostBytes);
        return text === undefined
          ? { kind: "unknown", why: `${path} is not a file of at most ${mostBytes} bytes` }
          : parseTag(text);
      } catch (error) {
        return { kind: "unknown", why: (error as Error).message };
      }
    },
  };
}
