import type { Vm, VmReport } from "../vm-facts.ts";

/** A report is fresh for so long after it was seen to change, real ms: three reports of an agent that says something each 30 s. */
const freshMs = 90_000;

/** A VM that said nothing for so long counts no more among its group's, ms. It waits for its turn when it comes back. */
const absentMs = 3_600_000;

/** Codes with which an agent says that it does not try its tag's revision any more. */
const givenUp: ReadonlySet<string> = new Set([
  "Quarantined",
  "ArtifactRefused",
  "AgentTooOld",
  "FloorNotMet",
  "NothingRuns",
]);

/** What is known of one VM, as `VmCounts` counts it; `ready`: it runs the group's revision. */
export type VmState = "ready" | "outdated" | "upgrading" | "failed" | "unhealthy" | "unknown" | "absent";

/** What a VM is judged by. */
export interface VmQuestion {
  /** The revision of its group; undefined = none is known. */
  readonly revision: string | undefined;
  /** The WorkloadEntries of its namespace: address -> ready. */
  readonly entries: ReadonlyMap<string, boolean>;
  /** Epoch ms. */
  readonly now: number;
}

/** Epoch ms of a valid ISO time. Pure: it does not read the clock. */
function parseTime(iso: string): number {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return Date.parse(iso);
}

function isFresh({ reportAgeMs }: Vm): boolean {
  return reportAgeMs !== undefined && reportAgeMs <= freshMs;
}

/** Its agent has not kept what its tag says. */
function judgeBehind(tag: string, report: VmReport): "failed" | "upgrading" {
  return report.tag === tag && givenUp.has(report.code) ? "failed" : "upgrading";
}

/**
 * Judges one VM. Healthy is a fresh report of a ready proxy, and a WorkloadEntry of its address that is not unhealthy; what is not known
 * is never taken for healthy.
 */
export function judgeVm(vm: Vm, { revision, entries, now }: VmQuestion): VmState {
  const { tag, report, stopped } = vm;
  if (stopped === true) return "absent";
  if (report === undefined) return "unknown";
  if (!isFresh(vm)) return now - parseTime(report.at) > absentMs ? "absent" : "unknown";
  if (tag !== undefined && report.revision !== tag) return judgeBehind(tag, report);
  if (!report.ready || entries.get(report.address) !== true) return "unhealthy";
  return report.revision === revision ? "ready" : "outdated";
}
