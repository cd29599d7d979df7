import { isReadable } from "../files/readable.ts";
import type { AuditedCommit, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { type Settings, settingsOf } from "../files/settings.ts";

/** Every commit that an executor may have had as main's head then: the newest, and those replaced within the grace period. */
export function headsAt(evidence: Evidence, at: number): readonly AuditedCommit[] {
  const merged = evidence.main.filter((commit) => commit.at <= at && isReadable(commit));
  const known = merged.findLastIndex((commit) => (commit.atLatest ?? commit.at) + (evidence.graceMs ?? 0) < at);
  return merged.slice(Math.max(0, known));
}

/** True when none of the heads that an executor may have had then is readable: nothing may move forward. */
export function isUnreadableAt({ main, graceMs = 0 }: Evidence, at: number): boolean {
  const known = main.findLastIndex((commit) => (commit.atLatest ?? commit.at) + graceMs < at);
  const seen = main.filter((commit, index) => index >= known && commit.at <= at);
  return seen.length > 0 && !seen.some((commit) => isReadable(commit));
}

/** A run's settings by each of these heads. */
export function settingsAt(evidence: Evidence, at: number, run: AuditedRun | undefined): readonly Settings[] {
  return headsAt(evidence, at).map((head) => settingsOf(head, run));
}

/** The most that any of these heads allowed. */
export function mostAllowed(all: readonly Settings[], read: (settings: Settings) => number): number {
  return Math.max(...all.map(read));
}

/** The least that any of these heads asked for. */
export function leastAsked(all: readonly Settings[], read: (settings: Settings) => number): number {
  return Math.min(...all.map(read));
}
