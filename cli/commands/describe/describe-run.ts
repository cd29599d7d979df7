import type { LedgerLine } from "#libs/events";
import { lookUp } from "#libs/input";
import { findRollbackOf, type FleetStatus, type RunRecord } from "#libs/plan";
import { showDistribution } from "#libs/rollouts";
import { printText, printWorkloadReason } from "#libs/wording";

import type { Reading } from "../../options/reading-options.ts";
import { listRuns } from "../../show/rows/get-run-rows.ts";
import { sayTime } from "../../show/status/print-answers.ts";
import { printStops } from "../../show/status/print-stops.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import { sortSkipped } from "../../text/marks.ts";
import type { RecordedRuns } from "../listing/listers.ts";
import type { Description, Section } from "./description.ts";
import { listRowFields } from "./row-fields.ts";

/** What is known of a run: its record, its progress while it is open, and its part of the history. */
export interface KnownRun extends RecordedRuns {
  readonly id: string;
  /** Newest first; a text: why it is not known. */
  readonly history: readonly LedgerLine[] | string;
}

type RunStatus = FleetStatus["runs"][number];

/** Entries of a list before "and N more". */
const shown = 20;

function printDistribution(text: string): string {
  return text === "" ? "not in the file" : showDistribution(text);
}

function listChanges(record: RunRecord | undefined): readonly string[] {
  return (record?.changes ?? []).map(
    ({ pattern, from, to, direction }) =>
      `${pattern}: ${printDistribution(from)} → ${printDistribution(to)}${direction === "rollback" ? " (rollback)" : ""}`,
  );
}

/** Of a cluster without a workload of the run, four columns each. */
const noCounts = ["-", "-", "-", "-"] as const;
const countTitles = ["WORKLOADS", "MIGRATED", "IDLE", "MIGRATING", "PENDING", "WAITING", "SKIPPED", "FAILED"];

function describeClusters(record: RunRecord | undefined, run: RunStatus | undefined, reading: Reading): Section {
  const shares = new Map((run?.clusters ?? []).map((share) => [share.cluster, share]));
  const opened = new Map(Object.entries(record?.clusters ?? {}));
  const names = [...new Set([...shares.keys(), ...opened.keys()])];
  const say = (iso: string | undefined): string => (iso === undefined ? "-" : sayTime(iso, reading));
  const rows = names.map((name) => {
    const share = shares.get(name);
    const counts = share === undefined ? noCounts : [share.workloads, share.migrated, share.idle, share.migrating];
    const others = share === undefined ? noCounts : [share.pending, share.waiting, share.skipped, share.failed];
    const { openedAt, doneAt } = opened.get(name) ?? {};
    const figures = run === undefined ? [] : [...counts, ...others].map(String);
    return [name, ...figures, say(openedAt), say(doneAt)];
  });
  const counted = run === undefined ? [] : countTitles;
  return {
    title: "Clusters",
    table: {
      header: ["CLUSTER", ...counted, "OPENED", "DONE"],
      rows,
      spare: ["IDLE", "DONE", "OPENED", "WAITING", "PENDING", "MIGRATING"],
    },
  };
}

function listLeft(record: RunRecord | undefined, run: RunStatus | undefined, reading: Reading): readonly Section[] {
  const all = sortSkipped(run?.skipped ?? record?.outcome?.skipped ?? []);
  const id = run?.id ?? record?.id ?? "";
  const list = (title: string, kind: "failures" | "skipped", isFailed: boolean): Section => {
    const own = all.filter(({ failed }) => (failed === true) === isFailed);
    const lines: readonly Sentence[] = own
      .slice(0, shown)
      .map((each) => `${each.cluster}:${each.workload}  ${printWorkloadReason(each, (at) => sayTime(at, reading))}`);
    const more: readonly Sentence[] =
      own.length > shown ? [`… and ${own.length - shown} more`, [{ command: `meshroll get ${kind} run/${id}` }]] : [];
    return { title, lines: [...lines, ...more] };
  };
  return [list("Failures", "failures", true), list("Skipped", "skipped", false)];
}

/** As recorded: the present figures of an open run are in its campaign's status. */
function describeGates({ gates = {} }: Pick<RunRecord, "gates">, reading: Reading): Section {
  const lines = Object.entries(gates).map(
    ([name, { verdict, at, why }]) => `${name}: ${verdict} at ${sayTime(at, reading)}, ${printText(why)}`,
  );
  return { title: "Gates", lines };
}

function listStops({ status, ledger, id }: KnownRun, reading: Reading): Section {
  const scope = `run/${id}`;
  const stops = status?.stops.filter((stop) => stop.scope === scope || stop.rollbackOf === id);
  if (stops !== undefined) return { title: "Stops", lines: stops.length === 0 ? [] : printStops({ stops }, reading) };
  const recorded = Object.values(ledger?.stops ?? {}).filter(
    (stop) => stop.resume === undefined && (stop.scope === scope || stop.rollbackOf === id),
  );
  return { title: "Stops", lines: recorded.map((stop) => `${stop.id} on ${stop.scope}, by ${stop.who}: ${stop.why}`) };
}

function describeHistory({ history, id }: KnownRun, reading: Reading): Section {
  if (typeof history === "string") return { title: "History", lines: [`not known: ${history}`] };
  const lines: readonly Sentence[] = history
    .slice(0, shown)
    .map(({ at, actor, sentence }) => `${sayTime(at, reading)}  ${actor ?? "unknown"}  ${sentence}`);
  const more: readonly Sentence[] =
    history.length > shown
      ? [`… and ${history.length - shown} older`, [{ command: `meshroll history run/${id}` }]]
      : [];
  return { title: "History", lines: [...lines, ...more] };
}

/** Shown below with more, or as times. */
const toldBelow: readonly string[] = ["Rolled back by", "Author", "Subject", "Ended", "Age"];

/** The record, and what the status says of an open run that the ledger is not at hand for. */
type Told = Partial<
  Pick<RunRecord, "before" | "converge" | "endedAt" | "outcome"> &
    Pick<RunStatus, "author" | "commit" | "startedAt" | "subject">
>;

function listFields(known: KnownRun, told: Told, reading: Reading): Description["fields"] {
  const listing = listRuns(known.ledger, known.status, `run/${known.id}`);
  const [row] = listing.rows.filter(({ name }) => name === known.id);
  const fields = row === undefined ? [] : listRowFields(listing, row).filter(([label]) => !toldBelow.includes(label));
  const say = (iso: string | undefined): string | undefined => (iso === undefined ? undefined : sayTime(iso, reading));
  const record = lookUp(known.ledger?.runs, known.id);
  const by = record === undefined ? undefined : findRollbackOf(record, Object.values(known.ledger?.runs ?? {}));
  return [
    ...fields,
    ["Commit", told.commit],
    ["Before", told.before],
    ["Author", told.author],
    ["Subject", told.subject],
    ["Reason", told.converge?.why],
    ["Started", say(told.startedAt)],
    ["Ended", say(told.endedAt)],
    [by === undefined ? "Superseded by" : "Rolled back by", by ?? told.outcome?.takenOverBy],
  ];
}

/** Who began the run, why and when; what it changed, what became of it, and what stops it. */
export function describeRun(known: KnownRun, reading: Reading): Description {
  const { ledger, status, id } = known;
  const record = lookUp(ledger?.runs, id);
  const run = status?.runs.find((each) => each.id === id);
  return {
    fields: listFields(known, { ...run, ...record }, reading),
    sections: [
      { title: "Changes", lines: listChanges(record) },
      describeClusters(record, run, reading),
      ...listLeft(record, run, reading),
      describeGates(record ?? {}, reading),
      listStops(known, reading),
      describeHistory(known, reading),
    ],
  };
}
