import type { KeyValue } from "#libs/bus";
import { readVmReport } from "#libs/events";
import type { Vm, VmRef, VmReport } from "#libs/fleet";

import { createVmKeys, type VmClock, type VmKeys, type VmValue } from "../vm-keys.ts";
import { nameVm } from "../vm-order.ts";
import { describeForeign } from "../vm-problems.ts";

const dayMs = 24 * 3_600_000;

/** A VM that was not heard of for so long counts as gone. */
const forgottenAfterMs = 30 * dayMs;

/** So long a process watches before it believes an old time in a value: the clock of a VM that reports may be wrong by years. */
const believedAfterMs = 10 * 60_000;

/** What the agents of a cluster's VMs reported, as this process saw it. */
export interface Reports {
  start(onChange: () => void, signal: AbortSignal): void;
  isRead(): boolean;
  heardAt(): number;
  /** VMs that reported within 30 days. */
  list(): readonly VmRef[];
  /** The fields of a VM that its agent's report gives; none when there is no report of 30 days. */
  describe(vm: VmRef): Pick<Vm, "report" | "reportAgeMs">;
  /** Its agent reported within 30 days, if only something unreadable. */
  isHeard(vm: VmRef): boolean;
  /** It was heard of, and not for 30 days. */
  isForgotten(vm: VmRef): boolean;
  /** A time of this epoch ms is more than 30 days ago, and the agents had time to report since the bus was read. */
  isLongAgo(at: number): boolean;
  problems(): readonly string[];
}

interface ReportsOptions {
  readonly bucket: KeyValue;
  readonly cluster: string;
  readonly clock: VmClock;
}

export function followReports({ bucket, cluster, clock }: ReportsOptions): Reports {
  const keys: VmKeys<VmReport> = createVmKeys({ bucket, cluster, kind: "reports", read: readVmReport, clock });

  function isLongAgo(at: number): boolean {
    return clock.now() - at > forgottenAfterMs && keys.watchedMs() > believedAfterMs;
  }

  /** What this process saw counts; the time in a report does only where it saw nothing, and not at once. */
  function isSilent({ value, changedAt }: VmValue<VmReport>): boolean {
    if (changedAt !== undefined) return clock.monotonic() - changedAt > forgottenAfterMs;
    if (keys.watchedMs() > forgottenAfterMs) return true;
    return value !== undefined && isLongAgo(Date.parse(value.at));
  }

  function find(vm: VmRef): VmValue<VmReport> | undefined {
    return keys.values.get(nameVm(vm));
  }

  return {
    start: (onChange, signal) => keys.start(onChange, signal),
    isRead: () => keys.isRead(),
    heardAt: () => keys.heardAt(),
    list: () => [...keys.values.values()].filter((each) => !isSilent(each)).map(({ vm }) => vm),
    describe(vm) {
      const found = find(vm);
      if (found?.value === undefined || isSilent(found)) return {};
      const { value: report, changedAt } = found;
      return { report, ...(changedAt === undefined ? {} : { reportAgeMs: clock.monotonic() - changedAt }) };
    },
    isHeard(vm) {
      const found = find(vm);
      return found !== undefined && !isSilent(found);
    },
    isForgotten(vm) {
      const found = find(vm);
      return found !== undefined && isSilent(found);
    },
    isLongAgo,
    problems: () => describeForeign("report", keys),
  };
}
