import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

import { applyEdits, type Mutated } from "#libs/manifests";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { writeData } from "../terminal/terminal.ts";
import type { ManifestInput } from "./read-inputs.ts";

/** An input with its edits. */
export interface MutatedInput {
  readonly input: ManifestInput;
  readonly mutated: Mutated;
}

/** Characters that are written at once. */
const chunkLength = 1024 * 1024;

async function writeParts(parts: readonly string[], terminal: Terminal): Promise<void> {
  let waiting: string[] = [];
  let length = 0;
  for (const part of parts) {
    waiting.push(part);
    length += part.length;
    if (length < chunkLength) continue;
    await writeData(terminal.stdout, waiting.join(""));
    waiting = [];
    length = 0;
  }
  await writeData(terminal.stdout, waiting.join(""));
}

/** The separator between two inputs, where the second has none. */
function separate(before: string | undefined, text: string): string {
  if (before === undefined) return "";
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  return /^\uFEFF?---(?:\s|$)/.test(text) ? gap : `${gap}---\n`;
}

/** Writes all as one stream. A single input is unchanged except for the edits. */
export async function printOutputs(outputs: readonly MutatedInput[], terminal: Terminal): Promise<void> {
  let before: string | undefined;
  for (const { input, mutated } of outputs) {
    const separator = separate(before, input.text);
    await writeParts([separator, ...applyEdits(input.text, mutated.edits)], terminal);
    before = input.text;
  }
}

/** Whether a path is the folder or below it. */
function isBelow(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The file behind links. It must be below this folder: links come with commits, and must not lead elsewhere on the machine. */
function findFile({ path, name }: ManifestInput, cwd: string): string {
  const named = resolve(cwd, path);
  const real = realpathSync(named);
  if (!isBelow(named, resolve(cwd)) || isBelow(real, realpathSync(cwd))) return real;
  throw new Refusal(exitCodes.refused, `${name} is a link out of this folder, to ${real}`, "give that file's own path");
}

/** The nearest repository's folder, upwards from this one; in a submodule its own. */
function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : findRepository(above);
}

/** A repository below this checkout has its own history and review, and is changed there. */
function requireOwn(path: string, { name }: ManifestInput, cwd: string): void {
  const folder = realpathSync(cwd);
  const [own, other] = [findRepository(folder), findRepository(dirname(path))];
  if (own === undefined || other === undefined || own === other || !isBelow(other, own)) return;
  const what = `${name} belongs to another repository, ${relative(folder, other)}`;
  throw new Refusal(exitCodes.refused, what, "run it there, or leave that folder out");
}

/** Refuses to overwrite a file that changed meanwhile. */
function requireUnchanged(path: string, { text, name }: ManifestInput): void {
  if (readFileSync(path).equals(Buffer.from(text))) return;
  throw new Refusal(exitCodes.refused, `${name} was changed while it was read`, "run it again");
}

/** Replaces each changed file atomically. */
export function writeFiles(outputs: readonly MutatedInput[], { cwd }: Pick<Terminal, "cwd">): void {
  const changed = outputs.filter(({ mutated }) => mutated.edits.length > 0);
  // All are checked before the first is written.
  const files = changed.map(({ input, mutated }) => ({ input, mutated, path: findFile(input, cwd) }));
  for (const { input, path } of files) requireOwn(path, input, cwd);
  for (const { input, mutated, path } of files) {
    const draft = `${path}.${randomUUID()}`;
    try {
      const { mode } = statSync(path);
      writeFileSync(draft, applyEdits(input.text, mutated.edits).join(""), { mode, flag: "wx" });
      // Restores bits that the umask removed.
      chmodSync(draft, mode);
      requireUnchanged(path, input);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }
}
