import type { KeyValue } from "#libs/bus";
import { readAsk } from "#libs/events";
import type { Ask, LedgerState } from "#libs/plan";

/** Follows the verbs that people place on the bus, by key. */
export async function followAsks(
  control: KeyValue,
  asks: Map<string, Ask>,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      const ask = value === undefined ? undefined : readAsk(value);
      if (ask === undefined) asks.delete(key);
      else asks.set(key, ask);
      onChange();
    },
    onReady: onChange,
    onReset: () => {
      asks.clear();
    },
  };
  await control.watch("ask.*", watcher, signal);
}

/** Answers each verb that the ledger knows and takes it off the bus: from then on the ledger's record is what counts. */
export async function answerAsks(
  control: KeyValue,
  status: KeyValue,
  asks: Map<string, Ask>,
  known: LedgerState["asks"],
): Promise<void> {
  for (const [key, ask] of asks) {
    const carriedOut = known[ask.id];
    if (carriedOut === undefined) continue;
    await status.put(`answer.${ask.id}`, carriedOut.answer);
    await control.delete(key);
    asks.delete(key);
  }
}
