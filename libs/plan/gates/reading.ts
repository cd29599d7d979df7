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

/** A gate's result with its figures. */
export interface GateReading {
  /** `noData` = unknown, judged by the gate's `onNoData`; `pending` = it cannot be judged yet, wait. */
  readonly verdict: "pass" | "fail" | "noData" | "pending";
  /** Value, limit and source. */
  readonly found: GateFinding;
  /** For ratios 0..1; absent = unknown, or nothing to measure. */
  readonly value?: number;
  readonly limit?: number;
  readonly baseline?: number;
  /** The Prometheus query, or the question in place of one. */
  readonly asked: string | GateQuestion;
  /** When it can change by itself, epoch ms; absent = not by itself, or unknown. */
  readonly until?: number;
}

/** The run of a gate, and the facts for judging it. */
export interface GateContext {
  readonly snapshot: Snapshot;
  readonly ledger: LedgerState;
  readonly head: Spec;
  /** Clusters with open waves only. */
  readonly view: RunView;
  /** How many workloads the run has, in all clusters. */
  readonly workloads: number;
  readonly moment: GateMoment;
  /** The fresh ones, which alone are judged (rules 6.3). */
  readonly seen: readonly ClusterSnapshot[];
  /** The others. */
  readonly unseen: readonly string[];
  /** The start of measuring, epoch ms; after a resume of its stop it starts again. */
  readonly since: number;
}

export type GateOf<K extends Gate["kind"]> = Extract<Gate, { readonly kind: K }>;

/** A result in words, as in the ledger and a status. */
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

/** As in the ledger; what was still pending at the end is unknown. */
export function toRecord(reading: GateReading, now: number): GateRecord {
  const { verdict } = reading;
  return { verdict: verdict === "pending" ? "noData" : verdict, at: printTime(now), ...renderReading(reading) };
}
