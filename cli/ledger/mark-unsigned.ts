import type { RolloutsRepository } from "#libs/git";
import { settingsPath } from "#libs/plan";

import { askLocal, readCommits } from "./read-local.ts";

/** Why a commit of the ledger is not taken for meshroll's: no key that main names signed it. */
export interface UnsignedMark {
  /** A clause, after "it": "it has no signature". */
  readonly why: string;
  /** The key that signed it all the same, `SHA256:…`. */
  readonly by?: string;
}

/** Where the ledger is read, its head, and main's next to it: absent where this clone has none, and then no key is known. */
export interface LedgerPlace {
  readonly folder: string;
  readonly head: string;
  readonly main?: string;
}

/** `meshroll.yml` as this clone has it. */
function openSettings(folder: string): Pick<RolloutsRepository, "read" | "readChanges"> {
  async function read(commit: string): Promise<string | undefined> {
    const listed = await askLocal(folder, "ls-tree", "--name-only", commit, "--", settingsPath);
    return listed === "" ? undefined : askLocal(folder, "show", `${commit}:${settingsPath}`);
  }
  return {
    read,
    async readChanges(_from, to, _paths, each) {
      const args = ["--first-parent", "--reverse", "--format=%H", to, "--", settingsPath];
      const commits = (await askLocal(folder, "log", ...args)).split("\n").filter((line) => line !== "");
      for (const sha of commits) each({ sha, files: new Map([[settingsPath, await read(sha)]]), below: [] });
    },
  };
}

/** Ids of the commits from the first one on that bears a signature: what came before was written while signing was off. */
async function listSince({ folder, head }: LedgerPlace): Promise<ReadonlySet<string>> {
  const args = ["--first-parent", "--reverse", "--header", head, "--"];
  const commits = (await askLocal(folder, "rev-list", ...args)).split("\0");
  const first = commits.findIndex((text) => /\ngpgsig(?:-sha256)? /u.test(text.slice(0, text.indexOf("\n\n"))));
  return new Set(first < 0 ? [] : commits.slice(first).map((text) => text.slice(0, text.indexOf("\n"))));
}

function toMark({ why, by }: UnsignedMark): UnsignedMark {
  return { why, ...(by === undefined ? {} : { by }) };
}

/** Those of these commits that are no word of meshroll's, where main says who signs. */
export async function markUnsigned(
  place: LedgerPlace,
  commits: readonly string[],
): Promise<ReadonlyMap<string, UnsignedMark>> {
  const { readSigners } = await import("#libs/repository");
  const signers = place.main === undefined ? [] : await readSigners(openSettings(place.folder), place.main);
  if (signers.length === 0) return new Map();
  const [{ splitSignature }, { judgeSignature }] = await Promise.all([import("#libs/git"), import("#libs/ledger")]);
  const since = await listSince(place);
  const asked = commits.filter((commit) => since.has(commit));
  const contents = await readCommits(place.folder, asked);
  const marks = new Map<string, UnsignedMark>();
  for (const [index, commit] of asked.entries()) {
    const verdict = judgeSignature(splitSignature(contents[index] ?? Buffer.alloc(0)), signers);
    if (verdict.kind === "refused") marks.set(commit, toMark(verdict));
  }
  return marks;
}
