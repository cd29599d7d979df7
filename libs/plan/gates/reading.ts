import type { Gate, GateMoment } from "#libs/campaign";
import { type GateFinding, type GateQuestion, printFinding, printQuestion, writeText } from "#libs/wording";

import {
  type ClusterSnapshot,
  dropAbsent,
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
  /** Value, limit and how it was found. */
  readonly found: GateFinding;
  /** Of ratios 0..1; absent = unknown, or there is nothing to measure. */
  readonly value?: number;
  readonly limit?: number;
  readonly baseline?: number;
  /** The query for Prometheus, or what is requested in place of one. */
  readonly asked: string | GateQuestion;
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

/** A reading in words, with its figures: as the ledger and a status carry it. */
export function renderReading({
  found,
  value,
  limit,
  baseline,
  asked,
}: GateReading): Omit<GateRecord, "verdict" | "at"> {
  return {
    code: found.code,
    why: writeText(printFinding(found)),
    ...dropAbsent({ value, limit, baseline }),
    query: typeof asked === "string" ? asked : printQuestion(asked),
  };
}

/** As the ledger keeps it: what was still open at the end is unknown. */
export function toRecord(reading: GateReading, now: number): GateRecord {
  const { verdict } = reading;
  return { verdict: verdict === "pending" ? "noData" : verdict, at: printTime(now), ...renderReading(reading) };
}
