import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { type LedgerLine, type LedgerLog, readTransition } from "#libs/events";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { askLocal, findRef } from "../../ledger/read-local.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { chooseFolder, chooseUrl, type RepositoryOptions, withRepository } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A ledger in a clone on this disk. */
interface LedgerPlace {
  readonly folder: string;
  readonly head: string;
}

/** The ledger's commits, newest first. */
export interface ReadLog extends LedgerLog {
  /** Why this is an earlier fetch; absent when it was fetched now. */
  readonly offline?: string;
}

/** More than years of campaigns; older ones can be read with git. */
export const mostCommits = 20_000;

const branches = ["refs/heads/meshroll/ledger", "refs/remotes/origin/meshroll/ledger"];

/** Fields of `git log`, one commit: id, committer's seconds, message. */
function parseCommit(record: string): LedgerLine {
  const [sha = "", seconds = "", ...message] = record.split("\n");
  return readTransition({ sha, at: Number(seconds) * 1000, message: message.join("\n") });
}

async function readLog({ folder, head }: LedgerPlace): Promise<ReadLog> {
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

async function readFetched(options: RepositoryOptions, terminal: Terminal): Promise<ReadLog> {
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
async function readCheckout(terminal: Terminal, cause: Refusal): Promise<ReadLog> {
  const place = await findLocal(terminal.cwd);
  if (place === undefined) throw cause;
  return { ...(await readLog(place)), offline: cause.message };
}

/** Reads branch `meshroll/ledger`: from a local clone, else fetched, else from an earlier fetch of the checkout here. */
export async function readLedgerLog(options: RepositoryOptions, terminal: Terminal): Promise<ReadLog> {
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
