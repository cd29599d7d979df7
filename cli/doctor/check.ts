import { readFix } from "../text/read-fix.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Parts that can be asked for alone. */
export const areas = ["git", "github", "k8s", "nats", "redis", "slack", "prom"] as const;

export type Area = (typeof areas)[number];

/** What one check found. Each code has a section in docs/reference/doctor.md. */
export interface CheckResult {
  readonly code: `MR90${string}`;
  readonly area: Area;
  readonly state: "ok" | "warned" | "failed" | "notChecked";
  /** One sentence: what works, what does not, or why it was not checked. */
  readonly message: string;
  /** The command or edit that fixes it, a line each. */
  readonly fix: readonly Sentence[];
  /** What a person may do next, now that it works. */
  readonly next?: Sentence;
}

type Place = Pick<CheckResult, "code" | "area">;

export function pass(place: Place, message: string, next?: Sentence): CheckResult {
  return { ...place, state: "ok", message, fix: [], ...(next === undefined ? {} : { next }) };
}

export function fail(place: Place, message: string, ...fix: readonly Sentence[]): CheckResult {
  return { ...place, state: "failed", message, fix };
}

/** It works, and leaves something open that a person should know of. */
export function warn(place: Place, message: string, ...fix: readonly Sentence[]): CheckResult {
  return { ...place, state: "warned", message, fix };
}

export function skip(place: Place, message: string, ...fix: readonly Sentence[]): CheckResult {
  return { ...place, state: "notChecked", message, fix };
}

/** Carries out one check; an error is a failed check, said in the error's words with what fixes it. */
export async function attempt(
  place: Place,
  work: () => Promise<CheckResult | readonly CheckResult[]>,
  ...fix: readonly Sentence[]
): Promise<readonly CheckResult[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const found = readFix(error);
    return [fail(place, found.message, ...(found.fix.length > 0 ? found.fix : fix))];
  }
}
