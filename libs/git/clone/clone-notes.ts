import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The folder of notes in the clone; it is kept when the clone is replaced for the same address. */
export const notesFolder = "meshroll-notes";

const noteName = /^[a-z][a-z-]{0,39}$/u;

function findFile(clone: string, name: string): string {
  if (!noteName.test(name)) throw new Error(`bug: ${JSON.stringify(name)} is not the name of a note`);
  return join(clone, notesFolder, name);
}

/** The first line is the hash of the rest, so that a damaged file is detected. */
function seal(text: string): string {
  return `${createHash("sha256").update(text).digest("hex")}\n${text}`;
}

function unseal(sealed: string): string | undefined {
  const text = sealed.slice(sealed.indexOf("\n") + 1);
  return seal(text) === sealed ? text : undefined;
}

/** See `RolloutsRepository.readNote`. */
export async function readNote(clone: string, name: string): Promise<string | undefined> {
  try {
    return unseal(await readFile(findFile(clone, name), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** See `RolloutsRepository.writeNote`: the file is replaced atomically. */
export async function writeNote(clone: string, name: string, text: string): Promise<void> {
  const file = findFile(clone, name);
  await mkdir(join(clone, notesFolder), { recursive: true });
  await writeFile(`${file}.new`, seal(text));
  await rename(`${file}.new`, file);
}
