import type { KeyValue } from "#libs/bus";
import { z } from "zod";

import type { RunReport } from "../facts/run-facts.ts";

const told = z.object({ digest: z.string(), at: z.number(), ended: z.string().exactOptional() });
type Told = z.infer<typeof told>;

/** One state that an edit would show. */
export interface Claim {
  /** Names the message: `<surface>.<run>`. */
  readonly key: string;
  /** Names the state that it would show. */
  readonly digest: string;
  /** ISO, of the status that it shows; "" when there is none. */
  readonly asOf: string;
  /** ISO, when the state shows the run's end: written without waiting for its turn, and nothing older may follow. */
  readonly ended?: string;
}

/**
 * `ours`: write it now. `told`: it is written already. `later`: too soon after the last edit, or another notifier is writing.
 */
export type ClaimOutcome = "ours" | "told" | "later";

/**
 * Decides which notifier edits a message, and how often, by compare-and-swap in KV `status`, key `told.<key>`. If the key is
 * lost, a message is edited once too often.
 */
export interface RateLimiter {
  claim(claim: Claim): Promise<ClaimOutcome>;
  /** It was not written after all: another notifier may write it at once. */
  release(key: string): Promise<void>;
}

/** Only a state that was seen after the end is newer than the end: a retry opens a run again. */
function isOlder({ asOf, ended }: { readonly asOf: string; readonly ended: string | undefined }, last: Told): boolean {
  return last.ended !== undefined && ended === undefined && asOf <= last.ended;
}

/** When the status was seen. A run that vanished from the status is not newer than its end. */
export function dateReport({ status, facts, hasVanished }: RunReport): Pick<Claim, "asOf" | "ended"> {
  const asOf = hasVanished === true ? "" : (status?.at ?? "");
  return facts.end === undefined ? { asOf } : { asOf, ended: facts.end.at };
}

function read(value: string | undefined): Told | undefined {
  if (value === undefined) return undefined;
  try {
    return told.safeParse(JSON.parse(value)).data;
  } catch {
    // Not written by a notifier: treated as if there were no claim.
    return undefined;
  }
}

/** `everyMs`: least real ms between two edits of one message; a function of the number of messages that are edited. */
export function createRateLimiter(bucket: KeyValue, everyMs: number | (() => number), wall: () => number): RateLimiter {
  /** Keys that this process has claimed. A claim from before its start may belong to a process that died before the edit. */
  const known = new Set<string>();

  function judge({ key, digest, asOf, ended }: Claim, last: Told | undefined): ClaimOutcome {
    if (last === undefined) return "ours";
    const isSame = last.digest === digest && last.ended === ended && known.has(key);
    if (isSame || isOlder({ asOf, ended }, last)) return "told";
    // After the clock was set back, the wait is no longer than one turn.
    const isTooSoon = Math.abs(wall() - last.at) < (typeof everyMs === "number" ? everyMs : everyMs());
    const isNewEnd = ended !== undefined && last.ended !== ended;
    return isTooSoon && !isNewEnd ? "later" : "ours";
  }

  return {
    async claim(claim) {
      const { key, digest, ended } = claim;
      const entry = await bucket.get(`told.${key}`);
      const outcome = judge(claim, read(entry?.value));
      if (outcome !== "ours") return outcome;
      const next: Told = { digest, at: wall(), ...(ended === undefined ? {} : { ended }) };
      if (!(await bucket.put(`told.${key}`, JSON.stringify(next), entry?.revision ?? 0))) return "later";
      known.add(key);
      return "ours";
    },
    async release(key) {
      known.delete(key);
      await bucket.delete(`told.${key}`);
    },
  };
}
