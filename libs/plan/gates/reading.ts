import type { Gate, GateMoment } from "#libs/campaign";

import {
  type ClusterSnapshot,
  type GateRecord,
  type LedgerState,
  printTime,
  type Snapshot,
  type Spec,
} from "../records/index.ts";
import type { RunView } from "../index/index.ts";

/** What a gate says now, with the figures that it says it by. */
export interface GateReading {
  /** `noData` = unknown, and the gate's `onNoData` says what that means; `pending` = it cannot be said yet, wait. */
  readonly verdict: "pass" | "fail" | "noData" | "pending";
  /** For people: value, limit and how it was found, one sentence without a full stop. */
  readonly why: string;
  /** Of ratios 0..1; absent = unknown, or there is nothing to measure. */
  readonly value?: number;
  readonly limit?: number;
  readonly baseline?: number;
  /** What was asked, for people who want to ask it themselves. */
  readonly query?: string;
  /** Who can make it known, where that is not the campaign's owner. */
  readonly owner?: string;
  /** When it says more by itself, epoch ms; absent = not by itself, or unknown. */
  readonly until?: number;
}

/** The run that a gate is looked at for, and what may be looked at. */
export interface GateContext {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  /** Only clusters whose wave is open. */
  readonly view: RunView;
  readonly moment: GateMoment;
  /** Those of them that are fresh: no other one is ever judged (rules 6.3). */
  readonly seen: readonly ClusterSnapshot[];
  /** Those that are not. */
  readonly unseen: readonly string[];
  /** Since when it is measured, epoch ms: after a person resumed its stop it starts again. */
  readonly since: number;
}

export type GateOf<K extends Gate["kind"]> = Extract<Gate, { readonly kind: K }>;

/** As the ledger keeps it: what was still open at the end is unknown. */
export function toRecord(reading: GateReading, now: number): GateRecord {
  const { verdict, why, value, limit, baseline, query } = reading;
  return {
    verdict: verdict === "pending" ? "noData" : verdict,
    at: printTime(now),
    why,
    ...(value === undefined ? {} : { value }),
    ...(limit === undefined ? {} : { limit }),
    ...(baseline === undefined ? {} : { baseline }),
    ...(query === undefined ? {} : { query }),
  };
}
