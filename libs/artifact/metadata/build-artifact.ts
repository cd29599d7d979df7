import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  fstatSync,
} from "node:fs";
import { join } from "node:path";

import type { ArtifactRefusal } from "#libs/wording";

import { layout } from "../layout.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import type { Manifest, ManifestFile } from "../port.ts";
import { hashBytes, writeWhole } from "./store-folder.ts";

/** What an artifact is made from. */
export interface Recipe extends Omit<Manifest, "formatVersion" | "files"> {
  /** Names in the artifact -> files of this machine. */
  readonly files: ReadonlyMap<string, string>;
}

function addFile(store: string, name: string, path: string): ManifestFile {
  const file = openSync(path, "r");
  try {
    const { size, mode } = fstatSync(file);
    const hash = createHash("sha256");
    const chunk = Buffer.alloc(1024 * 1024);
    for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) hash.update(chunk.subarray(0, got));
    const sha256 = hash.digest("hex");
    keepFile(path, join(store, layout.files, sha256));
    return { name, sha256, length: size, executable: (mode & constants.S_IXUSR) !== 0 };
  } finally {
    closeSync(file);
  }
}

function keepFile(path: string, place: string): void {
  if (existsSync(place)) return;
  const next = `${place}.${process.pid}`;
  copyFileSync(path, next);
  const copy = openSync(next, "r+");
  try {
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
  renameSync(next, place);
}

export type Built =
  | { readonly kind: "built"; readonly manifest: Manifest; readonly digest: string }
  | { readonly kind: "refused"; readonly refusal: ArtifactRefusal };

/**
 * Puts an artifact's files into a store's folder, and its manifest where `signStore` finds it. Throws the errors of reading
 * files.
 */
export function buildArtifact(store: string, { files, ...recipe }: Recipe): Built {
  mkdirSync(join(store, layout.files), { recursive: true });
  const listed = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, path]) => addFile(store, name, path));
  const bytes = Buffer.from(`${JSON.stringify({ formatVersion: 1, ...recipe, files: listed }, null, 2)}\n`);
  const read = readManifest(bytes, recipe);
  if ("refusal" in read) return { kind: "refused", refusal: read.refusal };
  writeWhole(join(store, layout.unsigned, recipe.revision, `${recipe.platform}.json`), bytes);
  return { kind: "built", manifest: read.manifest, digest: hashBytes(bytes) };
}
