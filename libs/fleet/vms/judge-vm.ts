import type { Vm, VmReport } from "../vm-facts.ts";

/** A report is fresh for so long after it was seen to change, real ms: three reports of an agent that says something each 30 s. */
export const freshMs = 90_000;

/** A VM that said nothing for so long counts no more among its group's, ms. It waits for its turn when it comes back. */
const absentMs = 3_600_000;

/** So long after reports come at all every agent that runs has reported: they wait up to 450 s after an outage, ms. */
export const allHeardMs = 600_000;

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
  /** For how long reports of any VM have come without a break, ms; 0 while none comes: then silence says nothing of one VM. */
  readonly heardForMs: number;
}

/** Epoch ms of a valid ISO time. Pure: it does not read the clock. */
function parseTime(iso: string): number {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return Date.parse(iso);
}

function isFresh({ reportAgeMs }: Vm): boolean {
  return reportAgeMs !== undefined && reportAgeMs <= freshMs;
}

/** By what this process saw. The time in a report is the VM's own, and counts only while this process has not listened for long. */
function measureSilence({ reportAgeMs }: Vm, report: VmReport, { now, heardForMs }: VmQuestion): number {
  if (reportAgeMs !== undefined) return reportAgeMs;
  return heardForMs > absentMs ? heardForMs : now - parseTime(report.at);
}

/** Others are heard of, and it is not. */
function judgeSilent(vm: Vm, report: VmReport, question: VmQuestion): "absent" | "unknown" {
  const isKnown = question.heardForMs >= allHeardMs;
  return isKnown && measureSilence(vm, report, question) > absentMs ? "absent" : "unknown";
}

/** Its agent has not kept what its tag says. */
function judgeBehind(tag: string, report: VmReport): "failed" | "upgrading" {
  return report.tag === tag && givenUp.has(report.code) ? "failed" : "upgrading";
}

/**
 * Judges one VM. Healthy is a fresh report of a ready proxy, and a WorkloadEntry of its address that is not unhealthy; what is not known
 * is never taken for healthy.
 */
export function judgeVm(vm: Vm, question: VmQuestion): VmState {
  const { tag, report, stopped } = vm;
  if (stopped === true) return "absent";
  if (report === undefined) return "unknown";
  if (!isFresh(vm)) return judgeSilent(vm, report, question);
  if (tag !== undefined && report.revision !== tag) return judgeBehind(tag, report);
  // An agent ends a switch that it has begun, whatever its tag says by now.
  if (report.inProgress) return "upgrading";
  if (!report.ready || question.entries.get(report.address) !== true) return "unhealthy";
  return report.revision === question.revision ? "ready" : "outdated";
}
