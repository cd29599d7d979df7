import type { KeyValue } from "#libs/bus";
import { nameAnswerKey, nameAskKey, printAnswer, readAsk, type VerbAnswer } from "#libs/events";
import { lookUp } from "#libs/input";
import { type Ask, formatOf, type LedgerState } from "#libs/plan";

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

/** More than people type in a month: so many of one verb at once are a flood, and each would cost a commit. */
const mostOfVerb = 100;

function sortIn({ asks, refused }: OpenAsks, key: string, value: string | undefined): void {
  asks.delete(key);
  refused.delete(key);
  if (value === undefined) return;
  const read = readAsk(key, value);
  if (!read.ok) refused.set(key, read.why);
  else if (countOf(asks, read.ask.verb) < mostOfVerb) asks.set(key, read.ask);
  else refused.set(key, `${mostOfVerb} of them wait already: ask again when they are answered`);
}

function countOf(asks: ReadonlyMap<string, Ask>, verb: Ask["verb"]): number {
  return [...asks.values()].filter((ask) => ask.verb === verb).length;
}

/** A verb that showed itself to be one that cannot be carried out: it counts no more, and is answered. */
export function refuseAsk({ asks, refused }: OpenAsks, id: string, why: string): void {
  const key = nameAskKey(id);
  if (asks.delete(key)) refused.set(key, why);
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

/** The answer to a key has its last part as its name, also where that is no id: who waits there is told. */
async function putAnswer(status: KeyValue, key: string, answer: VerbAnswer, format: number): Promise<void> {
  await status.put(nameAnswerKey(key.slice(nameAskKey("").length)), printAnswer(answer, format));
}

/**
 * Answers each verb that the ledger knows, or that cannot be carried out, and takes it off the bus: from then on the ledger's
 * record is what counts.
 */
export async function answerAsks(
  control: KeyValue,
  status: KeyValue,
  { asks, refused }: OpenAsks,
  ledger: Pick<LedgerState, "asks" | "format"> | undefined,
): Promise<void> {
  const format = formatOf(ledger);
  for (const [key, ask] of asks) {
    const carriedOut = lookUp(ledger?.asks, ask.id);
    if (carriedOut === undefined) continue;
    await putAnswer(status, key, { text: carriedOut.answer, outcome: carriedOut.outcome ?? "done" }, format);
    await control.delete(key);
    asks.delete(key);
  }
  for (const [key, why] of refused) {
    await putAnswer(status, key, { text: `not carried out: ${why}`, outcome: "refused" }, format);
    await control.delete(key);
    refused.delete(key);
  }
}
