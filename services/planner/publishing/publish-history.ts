import type { KeyValue } from "#libs/bus";
import {
  historyHeadKey,
  historyKeys,
  type LedgerEnd,
  type LedgerLine,
  listChunks,
  printChunk,
  printHistoryHead,
} from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { type Clock, type Logger, redactSecrets } from "#libs/runtime";

import type { ReconcileResult } from "../reconcile/planner.ts";
import { readLedgerEnd } from "./read-ledger-end.ts";

/** Shortest time between two tries, real ms: people read it, and each starts a process of git. */
const tryEveryMs = 500;
/** The same after a failure. */
const retryMs = 5000;
/** Longest time between two writes without a change, and between two looks at the keys, real ms: a wiped bucket is filled again. */
const writeEveryMs = 60_000;

export interface HistoryParts {
  readonly bucket: KeyValue;
  readonly repository: Pick<RolloutsRepository, "firstParents">;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Pick<Logger, "warn">;
  /** False: another planner writes the keys. */
  readonly leads: () => boolean;
}

/** What is on the bus, as far as this term has written it. */
interface Written {
  head: string;
  /** The last commit of each value. */
  readonly tips: Map<string, string>;
  /** Monotonic ms. */
  at: number;
  /** When the keys were compared with what is on the bus. */
  comparedAt: number;
}

/** Before a text is cut: of a secret that is cut the beginning would stay. */
function redactLine(line: LedgerLine): LedgerLine {
  const { actor, cause } = line;
  return {
    ...line,
    sentence: redactSecrets(line.sentence),
    about: line.about.map(redactSecrets),
    ...(actor === undefined ? {} : { actor: redactSecrets(actor) }),
    ...(cause === undefined ? {} : { cause: redactSecrets(cause) }),
  };
}

/**
 * Publishes `history.*` of KV `status`: the ledger's newest transitions, for people. It reads and writes in the background, one
 * at a time: no reconcile waits for it.
 */
export function createHistoryPublisher(parts: HistoryParts): (reconcile: ReconcileResult) => void {
  const { bucket, repository, clock, log, leads } = parts;
  const written: Written = {
    head: "",
    tips: new Map(),
    at: Number.NEGATIVE_INFINITY,
    comparedAt: Number.NEGATIVE_INFINITY,
  };
  let known: LedgerEnd | undefined;
  let isBusy = false;
  let hasFailed = false;
  let nextAt = Number.NEGATIVE_INFINITY;

  /** Values that are gone are written again; those that no head names any more go. */
  async function compareKeys(named: ReadonlySet<string>): Promise<void> {
    const there = await bucket.keys(historyKeys);
    for (const key of written.tips.keys()) if (!there.has(key)) written.tips.delete(key);
    const old = [...there].filter((key) => key !== historyHeadKey && !named.has(key));
    if (old.length === 0) return;
    // The status is written every few seconds, so its revision is nearly the bucket's newest.
    const revision = (await bucket.get("fleet"))?.revision;
    if (revision === undefined) return;
    for (const key of old) if (leads()) await bucket.sweep(key, revision);
  }

  async function write(end: LedgerEnd): Promise<void> {
    const chunks = listChunks(end);
    if (clock.monotonic() - written.comparedAt >= writeEveryMs) {
      await compareKeys(new Set(chunks.map(({ key }) => key)));
      written.comparedAt = clock.monotonic();
    }
    for (const chunk of chunks) {
      if (written.tips.get(chunk.key) === chunk.tip) continue;
      if (!leads()) return;
      await bucket.put(chunk.key, printChunk({ lines: chunk.lines.map(redactLine) }));
      written.tips.set(chunk.key, chunk.tip);
    }
    if (!leads()) return;
    // Last, so that a reader who has it finds all others.
    const tips = chunks.map(({ tip }) => tip);
    await bucket.put(historyHeadKey, printHistoryHead(end, tips));
    written.head = end.head;
    written.at = clock.monotonic();
  }

  async function read(head: string): Promise<LedgerEnd> {
    try {
      return await readLedgerEnd(repository, known, head);
    } catch (error) {
      // A commit of before may be gone from the clone: the next try reads the whole line.
      known = undefined;
      throw error;
    }
  }

  async function publish(head: string): Promise<void> {
    try {
      known = await read(head);
      await write(known);
      hasFailed = false;
      nextAt = clock.monotonic() + tryEveryMs;
    } catch (error) {
      nextAt = clock.monotonic() + retryMs;
      if (!hasFailed && leads()) log.warn({ error }, "the page does not get the ledger's history; it is tried again");
      hasFailed = true;
    } finally {
      isBusy = false;
    }
  }

  return ({ snapshot }) => {
    const head = snapshot.ledger?.head;
    const now = clock.monotonic();
    if (head === undefined || isBusy || now < nextAt) return;
    if (head === written.head && now - written.at < writeEveryMs) return;
    isBusy = true;
    void publish(head);
  };
}
