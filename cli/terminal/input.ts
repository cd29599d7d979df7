import { explainSystemError } from "#libs/input";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";

import { exitCodes } from "./exit-codes.ts";
import { Refusal } from "./refusal.ts";
import { showLine, type Terminal } from "./terminal.ts";

/** Reading stops one byte after the largest file that a parser accepts, also for /dev/zero. */
const mostBytes = 1024 * 1024 + 1;

export type Input =
  | { readonly ok: true; readonly name: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly name: string; readonly missing: boolean; readonly why: string };

/** The name of an input in messages; `-` is standard input. */
export function nameInput(path: string): string {
  return path === "-" ? "(stdin)" : showLine(path);
}

/** A file, or stdin for `-`, as a stream. */
export function openInput(path: string, terminal: Terminal): Readable {
  return path === "-" ? terminal.stdin : createReadStream(resolve(terminal.cwd, path));
}

function explainError(error: unknown): { readonly missing: boolean; readonly why: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const said = explainSystemError(error);
  const isWorded = error instanceof Error && said !== error.message;
  const why = isWorded ? said : `it cannot be read: ${said}`;
  return { missing: code === "ENOENT" || code === "ENOTDIR", why };
}

function readGiven(name: string, text: string | undefined): Input {
  if (text === undefined) return { ok: false, name, missing: true, why: "main has no such file" };
  return { ok: true, name, bytes: new TextEncoder().encode(text) };
}

/** A whole small file, cut after `mostBytes`; an unreadable one is returned as such. */
export async function readInput(path: string, terminal: Terminal): Promise<Input> {
  const name = nameInput(path);
  if (terminal.files !== undefined && path !== "-") return readGiven(name, terminal.files.get(path));
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of openInput(path, terminal)) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= mostBytes) break;
    }
  } catch (error) {
    return { ok: false, name, ...explainError(error) };
  }
  return { ok: true, name, bytes: Buffer.concat(chunks).subarray(0, mostBytes) };
}

/** Refuses to read stdin twice: the second reader would get nothing. */
export function refuseSecondStdin(paths: readonly string[]): void {
  if (paths.filter((path) => path === "-").length < 2) return;
  throw new Refusal(exitCodes.usage, "`-` (standard input) can be read only once", "give one of the files by name");
}
