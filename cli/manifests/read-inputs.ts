import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { explainSystemError, indexLines, type Lines, locateOffset } from "#libs/input";
import { type ManifestPiece, readManifests } from "#libs/manifests";

import { exitCodes } from "../terminal/exit-codes.ts";
import { nameInput } from "../terminal/input.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A parsed text of manifests. */
export interface ManifestInput {
  /** `-` = stdin. */
  readonly path: string;
  /** For messages. */
  readonly name: string;
  readonly text: string;
  readonly pieces: readonly ManifestPiece[];
}

/** A limit: longer texts do not fit into a string. */
const mostBytes = 256 * 1024 * 1024;

const manifestEnding = /\.(?:ya?ml|json)$/;

/** The manifests below a folder, in byte order; names with a leading dot are skipped. */
function listFolder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
      if (entry.isDirectory()) return listFolder(path);
      return entry.isFile() && manifestEnding.test(entry.name) ? [path] : [];
    });
}

function listPaths(path: string, { cwd }: Terminal): readonly string[] {
  if (path === "-" || !statSync(resolve(cwd, path)).isDirectory()) return [path];
  const found = listFolder(resolve(cwd, path));
  if (found.length > 0) return found.map((each) => join(path, each.slice(resolve(cwd, path).length)));
  throw new Refusal(exitCodes.invalid, `${path}: no file in it ends in .yml, .yaml or .json`);
}

async function readBytes(path: string, terminal: Terminal): Promise<Uint8Array> {
  if (path !== "-") return readFileSync(resolve(terminal.cwd, path));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of terminal.stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Decodes UTF-8, with its byte order mark; names the place of the first invalid byte. */
function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const at = before.indexOf("\uFFFD");
    throw new Refusal(
      exitCodes.invalid,
      `${printPlace(name, indexLines(before), Math.max(0, at))}: not UTF-8`,
      "save it as UTF-8",
    );
  }
}

/** `file:line:column` of an offset. */
export function printPlace(name: string, lines: Lines, at: number): string {
  const { line, column } = locateOffset(lines, at);
  return `${name}:${line}:${column}`;
}

async function readOne(path: string, terminal: Terminal): Promise<ManifestInput> {
  const name = nameInput(path);
  const bytes = await readBytes(path, terminal);
  if (bytes.length > mostBytes) {
    throw new Refusal(exitCodes.invalid, `${name}: more than 256 MB`, "split it: each document is read on its own");
  }
  const text = decode(bytes, name);
  const read = readManifests(text);
  if (read.ok) return { path, name, text, pieces: read.pieces };
  const { at, message } = read.malformed;
  throw new Refusal(exitCodes.invalid, `${printPlace(name, indexLines(text), at)}: ${message}`, "nothing was written");
}

function refuseUnread(error: unknown, path: string): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error && "syscall" in error)) throw error;
  return new Refusal(exitCodes.invalid, `${nameInput(path)}: ${explainSystemError(error)}`);
}

/** Reads all inputs before anything is written; a malformed one refuses all with 65. */
export async function readInputs(paths: readonly string[], terminal: Terminal): Promise<readonly ManifestInput[]> {
  const inputs: ManifestInput[] = [];
  for (const path of paths) {
    try {
      for (const each of listPaths(path, terminal)) inputs.push(await readOne(each, terminal));
    } catch (error) {
      throw refuseUnread(error, path);
    }
  }
  return inputs;
}
