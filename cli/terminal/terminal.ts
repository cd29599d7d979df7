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
  /** Files that replace those in `cwd`, by path: main's, where a repository was named. */
  readonly files?: ReadonlyMap<string, string>;
  /** Connects to the bus of a context and returns its address; absent where not needed. */
  readonly reachBus?: (() => Promise<string>) | undefined;
  /** With `-v`, prints what is requested; `step` is called only then. */
  readonly explain?: (step: () => string) => void;
  /** Prints a line on stderr, once in a command. */
  readonly warn?: (line: string) => void;
  /** What has to be ended when the command is. */
  readonly atEnd?: (end: () => Promise<void> | void) => void;
}

/** Writes all of it and waits for slow readers, so that the output is not kept in memory. Throws the stream's errors. */
async function writeWhole(stream: Writable, text: string): Promise<void> {
  const isTaken = stream.write(text);
  if (stream.errored) throw stream.errored;
  if (!isTaken) await once(stream, "drain");
}

/** A text of others within a line, without line ends: a CI could read a new line as a command. */
export function showLine(text: string): string {
  return text.replaceAll(/\r\n?|\n/gu, String.raw`\n`);
}

/** Writes a text, which may contain text of others, without control sequences. */
export async function write(stream: Writable, text: string): Promise<void> {
  await writeWhole(stream, showUnprintable(text));
}

/** Writes data unchanged to a pipe or a file; to a terminal without control sequences. */
export async function writeData(stream: Terminal["stdout"], text: string): Promise<void> {
  await writeWhole(stream, stream.isTTY === true ? showUnprintable(text) : text);
}

/** Writes to a stream behind another one; `done` is the callback of the first one's write. */
export function forward(stream: Writable, text: string, done: (error?: Error | null) => void): void {
  stream.write(showUnprintable(text), done);
}

/** The same without waiting, for a few lines. */
export function say(stream: Writable, text: string): void {
  stream.write(showUnprintable(text));
}

/** Writes colours and cursor movements. Texts of others in it must have passed `showUnprintable`. */
export async function writeSequences(stream: Writable, text: string): Promise<void> {
  await writeWhole(stream, text);
}

/** A text of fewer columns is no longer readable. */
const fewestColumns = 40;

/** Columns of a terminal: as many as `COLUMNS` says, else its own. */
export function readColumns({ stdout, env }: Pick<Terminal, "stdout" | "env">): number {
  const asked = env["COLUMNS"] ?? "";
  if (/^[1-9]\d{0,3}$/u.test(asked)) return Number(asked);
  return "columns" in stdout && typeof stdout.columns === "number" ? stdout.columns : 80;
}

/** Columns for text; a pipe has no limit, and nothing is left out. */
export function readWidth(terminal: Pick<Terminal, "stdout" | "env">): number {
  return terminal.stdout.isTTY === true ? Math.max(fewestColumns, readColumns(terminal)) : Number.POSITIVE_INFINITY;
}

/** Colour only on a terminal without NO_COLOR or TERM=dumb. */
export function canColour(stream: Terminal["stdout"], env: Terminal["env"]): boolean {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return stream.isTTY === true && !refused;
}
