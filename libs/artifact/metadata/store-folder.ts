import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Writes a file atomically, also under a power cut. */
export function writeWhole(path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  const next = join(dirname(path), `.${basename(path)}.${process.pid}`);
  const file = openSync(next, "w", 0o644);
  try {
    const data = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    for (let at = 0; at < data.byteLength;) at += writeSync(file, data, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}

/** The newest `N.<role>.json` of a folder. */
export function readNewest(
  folder: string,
  role: string,
): { readonly version: number; readonly text: string } | undefined {
  if (!existsSync(folder)) return undefined;
  const versions = readdirSync(folder)
    .map((name) => /^(\d{1,9})\.([a-z]+)\.json$/.exec(name))
    .filter((match) => match?.[2] === role)
    .map((match) => Number(match?.[1]));
  if (versions.length === 0) return undefined;
  const version = Math.max(...versions);
  return { version, text: readFileSync(join(folder, `${version}.${role}.json`), "utf8") };
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}
