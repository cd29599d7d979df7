import type { KeyValue } from "#libs/bus";
import { z } from "zod";

import type { RunReport } from "../facts/run-facts.ts";

const lastEdit = z.object({ digest: z.string(), at: z.number(), ended: z.string().exactOptional() });
type LastEdit = z.infer<typeof lastEdit>;

/** One state of a message that an edit would show. */
export interface Claim {
  /** Which message: `<surface>.<run>`. */
  readonly key: string;
  /** Which state. */
  readonly digest: string;
  /** ISO time of the status that it shows; "" without one. */
  readonly asOf: string;
  /** ISO time of the run's end, if the state shows it: such an edit is never delayed, and no older state may follow. */
  readonly ended?: string;
}

/**
 * `ours`: write it now. `written`: it is written already. `later`: too soon after the last edit, or another notifier is writing.
 */
export type ClaimOutcome = "ours" | "written" | "later";

/**
 * Decides which notifier edits a message, and how often, by compare-and-swap in KV `status`, key `told.<key>`. If the key is
 * lost, a message is edited once too often.
 */
export interface RateLimiter {
  claim(claim: Claim): Promise<ClaimOutcome>;
  /** It was not written after all: another notifier may write it at once. */
  release(key: string): Promise<void>;
}

/** After a run's end only a status from after the end is newer: a retry reopens a run. */
function isOlder(
  { asOf, ended }: { readonly asOf: string; readonly ended: string | undefined },
  last: LastEdit,
): boolean {
  return last.ended !== undefined && ended === undefined && asOf <= last.ended;
}

/** When the status was written. For a run that vanished from the status, "", which is older than its end. */
export function dateReport({ status, facts, hasVanished }: RunReport): Pick<Claim, "asOf" | "ended"> {
  const asOf = hasVanished === true ? "" : (status?.at ?? "");
  return facts.end === undefined ? { asOf } : { asOf, ended: facts.end.at };
}

function read(value: string | undefined): LastEdit | undefined {
  if (value === undefined) return undefined;
  try {
    return lastEdit.safeParse(JSON.parse(value)).data;
  } catch {
    // Not written by a notifier: treated as if there were no claim.
    return undefined;
  }
}

/** `everyMs`: least real ms between two edits of one message; a function where it depends on the number of edited messages. */
export function createRateLimiter(bucket: KeyValue, everyMs: number | (() => number), wall: () => number): RateLimiter {
  /** Keys that this process has claimed. An earlier claim may be of a process that died before its edit. */
  const known = new Set<string>();

  function judge({ key, digest, asOf, ended }: Claim, last: LastEdit | undefined): ClaimOutcome {
    if (last === undefined) return "ours";
    const isSame = last.digest === digest && last.ended === ended && known.has(key);
    if (isSame || isOlder({ asOf, ended }, last)) return "written";
    // The clock may have been set back: then the wait is at most one interval.
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
      const next: LastEdit = { digest, at: wall(), ...(ended === undefined ? {} : { ended }) };
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
