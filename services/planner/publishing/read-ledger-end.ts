import { findFirst, type LedgerEnd, linesInChunk, mostChunks, readTransition } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";

type Reading = Pick<RolloutsRepository, "firstParents">;

/** More are never published. */
const mostLines = mostChunks * linesInChunk;

async function readWhole(repository: Reading, head: string): Promise<LedgerEnd> {
  const commits = await repository.firstParents(undefined, head);
  return { head, total: commits.length, lines: commits.slice(findFirst(commits.length)).map(readTransition) };
}

/** The ledger's newest transitions at this commit: what is new since `known`, or all where its commit is not on that line. */
export async function readLedgerEnd(
  repository: Reading,
  known: LedgerEnd | undefined,
  head: string,
): Promise<LedgerEnd> {
  if (known === undefined) return readWhole(repository, head);
  if (known.head === head) return known;
  const newer = await repository.firstParents(known.head, head);
  // A ledger that was set back, or written again from an earlier commit.
  if (newer[0]?.parents[0] !== known.head) return readWhole(repository, head);
  const lines = [...known.lines, ...newer.map(readTransition)].slice(-mostLines);
  return { head, total: known.total + newer.length, lines };
}
