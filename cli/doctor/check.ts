import { readFix } from "../text/read-fix.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Areas that can be checked alone. */
export const areas = ["git", "github", "k8s", "nats", "redis", "slack", "prom"] as const;

export type Area = (typeof areas)[number];

/** The result of one check. Each code has a section in docs/reference/doctor.md. */
export interface CheckResult {
  readonly code: `MR90${string}`;
  readonly area: Area;
  readonly state: "ok" | "warned" | "failed" | "notChecked";
  /** One sentence: what works, what does not, or why it was not checked. */
  readonly message: string;
  /** The command or edit that fixes it, a line each. */
  readonly fix: readonly Sentence[];
  /** The next step, when it works. */
  readonly next?: Sentence;
}

type Place = Pick<CheckResult, "code" | "area">;

export function pass(place: Place, message: string, next?: Sentence): CheckResult {
  return { ...place, state: "ok", message, fix: [], ...(next === undefined ? {} : { next }) };
}

export function fail(place: Place, message: string, ...fix: readonly Sentence[]): CheckResult {
  return { ...place, state: "failed", message, fix };
}

/** It works, but something should be changed. */
export function warn(place: Place, message: string, ...fix: readonly Sentence[]): CheckResult {
  return { ...place, state: "warned", message, fix };
}

export function skip(place: Place, message: string, ...fix: readonly Sentence[]): CheckResult {
  return { ...place, state: "notChecked", message, fix };
}

/** Runs one check; an error becomes a failed check with the error's message and fix. */
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
