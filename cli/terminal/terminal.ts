import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

import { showUnprintable } from "#libs/input";

/** What a command may touch of its process. Data goes to `stdout`, everything meant for people only to `stderr`. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files that are read instead of those in `cwd`, by path: of main of a repository that was named. */
  readonly files?: ReadonlyMap<string, string>;
  /** Opens the way to the bus that a context names, and answers its address; absent where no context needs one. */
  readonly reachBus?: (() => Promise<string>) | undefined;
  /** Says with `-v` what is asked of whom; `step` is made only then. */
  readonly explain?: (step: () => string) => void;
  /** Says a line on stderr, once in a command. */
  readonly warn?: (line: string) => void;
  /** What has to be ended when the command is. */
  readonly atEnd?: (end: () => Promise<void> | void) => void;
}

/**
 * Writes all of it, waiting when the reader is slow: a pipe never makes us keep the whole output in memory. Throws what the stream
 * could not print.
 */
async function writeWhole(stream: Writable, text: string): Promise<void> {
  const isTaken = stream.write(text);
  if (stream.errored) throw stream.errored;
  if (!isTaken) await once(stream, "drain");
}

/** A text of others within a line: it begins none of its own, which a CI could read as a command. */
export function showLine(text: string): string {
  return text.replaceAll(/\r\n?|\n/gu, String.raw`\n`);
}

/** Text, also of others: whatever stands in it, the terminal obeys none of it. */
export async function write(stream: Writable, text: string): Promise<void> {
  await writeWhole(stream, showUnprintable(text));
}

/**
 * Data that has to leave as it came, byte by byte: into a pipe or a file as it is. A terminal gets it like any text of others.
 */
export async function writeData(stream: Terminal["stdout"], text: string): Promise<void> {
  await writeWhole(stream, stream.isTTY === true ? showUnprintable(text) : text);
}

/** The same for a stream that prints into another one: `done` is what it was given for its own write. */
export function forward(stream: Writable, text: string, done: (error?: Error | null) => void): void {
  stream.write(showUnprintable(text), done);
}

/** The same without waiting, for a few lines. */
export function say(stream: Writable, text: string): void {
  stream.write(showUnprintable(text));
}

/** Colours and the movements of a picture: only where every text of others went through `showUnprintable` before. */
export async function writeSequences(stream: Writable, text: string): Promise<void> {
  await writeWhole(stream, text);
}

/** Columns of a person's terminal, 80 at least; a pipe has no end, and nothing is cut in it. */
export function readWidth({ stdout }: Pick<Terminal, "stdout">): number {
  if (stdout.isTTY !== true) return Number.POSITIVE_INFINITY;
  return Math.max(80, "columns" in stdout && typeof stdout.columns === "number" ? stdout.columns : 80);
}

/** Colour only for a person at a terminal who did not ask for none (NO_COLOR, TERM=dumb). */
export function canColour(stream: Terminal["stdout"], env: Terminal["env"]): boolean {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return stream.isTTY === true && !refused;
}
