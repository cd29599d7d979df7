import type { KeyValue } from "#libs/bus";
import { nameAskKey, readAsk } from "#libs/events";
import { lookUp } from "#libs/input";
import type { Ask, LedgerState } from "#libs/plan";

/** The verbs on the bus, by key. */
export interface OpenAsks {
  /** Those that can be carried out. */
  readonly asks: Map<string, Ask>;
  /** Those that never can, with the reason: each is answered, and leaves the bus. */
  readonly refused: Map<string, string>;
}

export function createOpenAsks(): OpenAsks {
  return { asks: new Map(), refused: new Map() };
}

/** More than people type in a month: so many at once are a flood, and each would cost a commit. */
const mostAsks = 1000;

function sortIn({ asks, refused }: OpenAsks, key: string, value: string | undefined): void {
  asks.delete(key);
  refused.delete(key);
  if (value === undefined) return;
  const read = readAsk(key, value);
  if (!read.ok) refused.set(key, read.why);
  else if (asks.size >= mostAsks) refused.set(key, `${mostAsks} verbs are waiting already: ask again later`);
  else asks.set(key, read.ask);
}

/** Follows the verbs that people place on the bus, by key. */
export async function followAsks(
  control: KeyValue,
  open: OpenAsks,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      sortIn(open, key, value);
      onChange();
    },
    onReady: onChange,
    onReset: () => {
      open.asks.clear();
      open.refused.clear();
    },
  };
  await control.watch(nameAskKey("*"), watcher, signal);
}

/** The last part of a verb's key is the name of its answer, also where it is no id: who waits there is told. */
function nameAnswer(key: string): string {
  return `answer.${key.slice(nameAskKey("").length)}`;
}

/**
 * Answers each verb that the ledger knows, or that cannot be carried out, and takes it off the bus: from then on the ledger's
 * record is what counts.
 */
export async function answerAsks(
  control: KeyValue,
  status: KeyValue,
  { asks, refused }: OpenAsks,
  known: LedgerState["asks"],
): Promise<void> {
  for (const [key, ask] of asks) {
    const carriedOut = lookUp(known, ask.id);
    if (carriedOut === undefined) continue;
    await status.put(nameAnswer(key), carriedOut.answer);
    await control.delete(key);
    asks.delete(key);
  }
  for (const [key, why] of refused) {
    await status.put(nameAnswer(key), `not carried out: ${why}`);
    await control.delete(key);
    refused.delete(key);
  }
}
