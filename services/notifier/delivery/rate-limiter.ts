import type { KeyValue } from "#libs/bus";
import { z } from "zod";

import type { RunReport } from "../facts/run-facts.ts";

const told = z.object({ digest: z.string(), at: z.number(), ended: z.string().exactOptional() });
type Told = z.infer<typeof told>;

/** One state that people could be told of. */
export interface Claim {
  /** Names the message: `<surface>.<run>`. */
  readonly key: string;
  /** Names the state that it would show. */
  readonly digest: string;
  /** ISO, of the status that it shows; "" when there is none. */
  readonly asOf: string;
  /** ISO, when it shows how the run ended: that does not wait for its turn, and nothing older comes after it. */
  readonly ended?: string;
}

/** `ours`: write it now. `told`: it is there. `later`: too soon after the last one, or another notifier was first. */
export type ClaimOutcome = "ours" | "told" | "later";

/**
 * Who of all notifiers edits a message now, and how often: by compare-and-swap in KV `status`, key `told.<key>`. Losing it
 * costs an edit too many and nothing else.
 */
export interface RateLimiter {
  claim(claim: Claim): Promise<ClaimOutcome>;
  /** It was not written after all: another notifier may at once. */
  release(key: string): Promise<void>;
}

/** Only what was seen after the end is newer than it: a retry opens a run again. */
function isOlder({ asOf, ended }: { readonly asOf: string; readonly ended: string | undefined }, last: Told): boolean {
  return last.ended !== undefined && ended === undefined && asOf <= last.ended;
}

/** When a status was seen. That a run has vanished is no status of it, and never newer than its end. */
export function dateReport({ status, facts, hasVanished }: RunReport): Pick<Claim, "asOf" | "ended"> {
  const asOf = hasVanished === true ? "" : (status?.at ?? "");
  return facts.end === undefined ? { asOf } : { asOf, ended: facts.end.at };
}

function read(value: string | undefined): Told | undefined {
  if (value === undefined) return undefined;
  try {
    return told.safeParse(JSON.parse(value)).data;
  } catch {
    // Not ours: as if nothing was written.
    return undefined;
  }
}

/** `everyMs`: real ms between two edits of one message, at least; how many are edited may change it. */
export function createRateLimiter(bucket: KeyValue, everyMs: number | (() => number), wall: () => number): RateLimiter {
  /** Keys that this process has claimed: before that it does not trust a claim whose owner may have died before the edit. */
  const known = new Set<string>();

  function judge({ key, digest, asOf, ended }: Claim, last: Told | undefined): ClaimOutcome {
    if (last === undefined) return "ours";
    const isSame = last.digest === digest && last.ended === ended && known.has(key);
    if (isSame || isOlder({ asOf, ended }, last)) return "told";
    // A clock that was put back must not silence us for longer than one turn.
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
