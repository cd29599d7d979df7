import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { askLocal, findRef } from "../../ledger/read-local.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { chooseFolder, chooseUrl, type RepositoryOptions, withRepository } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** One transition, from the ledger's commit. */
export interface LedgerLine {
  readonly commit: string;
  /** ISO, UTC. */
  readonly at: string;
  /** `planner`: the clock of runs, stops and waits; `git`: that of the machine that made the commit. */
  readonly clock: "planner" | "git";
  readonly sentence: string;
  /** The scopes it concerns: runs, their campaigns, what is stopped. */
  readonly about: readonly string[];
  /** Absent in a commit that was made by hand. */
  readonly actor?: string;
  readonly cause?: string;
}

/** A ledger in a clone on this disk. */
interface LedgerPlace {
  readonly folder: string;
  readonly head: string;
}

/** The ledger's commits, newest first. */
export interface LedgerLog {
  readonly lines: readonly LedgerLine[];
  /** There are older commits that were not read. */
  readonly isCut: boolean;
  /** Why this is an earlier fetch; absent when it was fetched now. */
  readonly offline?: string;
}

/** More than years of campaigns; older ones can be read with git. */
export const mostCommits = 20_000;

const branches = ["refs/heads/meshroll/ledger", "refs/remotes/origin/meshroll/ledger"];

/** The `Name: value` lines of the last paragraph, so that a reason in the sentence cannot imitate one. */
function readTrailers(lines: readonly string[], name: string): readonly string[] {
  const last = lines.slice(lines.lastIndexOf("") + 1);
  return last.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
}

/** Fields of `git log`, one commit: id, committer's seconds, message. */
function parseCommit(record: string): LedgerLine {
  const [commit = "", seconds = "", ...message] = record.split("\n");
  const [sentence = "", ...body] = message.join("\n").trimEnd().split("\n");
  const [actor, cause, at = ""] = ["Actor", "Cause", "At"].map((name) => readTrailers(body, name).at(-1));
  const recorded = Date.parse(at);
  const isRecorded = !Number.isNaN(recorded);
  return {
    commit,
    at: new Date(isRecorded ? recorded : Number(seconds) * 1000).toISOString(),
    clock: isRecorded ? "planner" : "git",
    sentence,
    about: readTrailers(body, "About"),
    ...(actor === undefined ? {} : { actor }),
    ...(cause === undefined ? {} : { cause }),
  };
}

async function readLog({ folder, head }: LedgerPlace): Promise<LedgerLog> {
  const format = "--format=tformat:%H%n%ct%n%B";
  const args = [
    "log",
    "-z",
    "--first-parent",
    "--no-show-signature",
    `--max-count=${mostCommits + 1}`,
    format,
    head,
    "--",
  ];
  const records = (await askLocal(folder, ...args)).split("\0").filter((record) => record !== "");
  const lines = records.slice(0, mostCommits).map(parseCommit);
  return { lines, isCut: records.length > mostCommits };
}

/** The ledger in a local clone, bare or not, without network; undefined when it has none. */
async function findLocal(folder: string): Promise<LedgerPlace | undefined> {
  const head = await findRef(folder, branches);
  return head === undefined ? undefined : { folder, head };
}

async function readFetched(options: RepositoryOptions, terminal: Terminal): Promise<LedgerLog> {
  return withRepository(options, terminal, async ({ repository, url }) => {
    const { ledger: head } = await repository.fetch();
    if (head === undefined) throw noLedger(url);
    return readLog({ folder: chooseFolder(url, terminal.env), head });
  });
}

function noLedger(url: string): Refusal {
  return new Refusal(exitCodes.invalid, `${url} has no branch meshroll/ledger: nothing was decided yet`, [
    { command: "meshroll init" },
    "  begins it",
  ]);
}

/** Offline, the checkout here may have an earlier fetch. */
async function readCheckout(terminal: Terminal, cause: Refusal): Promise<LedgerLog> {
  const place = await findLocal(terminal.cwd);
  if (place === undefined) throw cause;
  return { ...(await readLog(place)), offline: cause.message };
}

/** Reads branch `meshroll/ledger`: from a local clone, else fetched, else from an earlier fetch of the checkout here. */
export async function readLedgerLog(options: RepositoryOptions, terminal: Terminal): Promise<LedgerLog> {
  const url = await chooseUrl(options, terminal);
  const path = resolve(terminal.cwd, url.replace(/^file:\/\//u, ""));
  if (existsSync(path)) {
    const place = await findLocal(path);
    if (place === undefined) throw noLedger(url);
    return readLog(place);
  }
  try {
    return await readFetched(options, terminal);
  } catch (error) {
    if (error instanceof Refusal && error.exitCode === exitCodes.unavailable) return readCheckout(terminal, error);
    throw error;
  }
}
