import { findNamed, lookUp } from "#libs/input";
import { dropAbsent, type Failure, findRollbackOf, type RunRecord } from "#libs/plan";
import { groupReasons, printText } from "#libs/wording";

import type { Sentence } from "../../terminal/sentence.ts";
import type { Listing, Row } from "../listing.ts";
import { nameRunning } from "./get-fleet-rows.ts";
import { printAgeCell } from "./get-status-rows.ts";
import type { FleetView, SkippedRow } from "./narrow-view.ts";

type SkippedWorkload = NonNullable<RunRecord["outcome"]>["skipped"][number];

interface LeftItem {
  readonly run?: string;
  readonly campaign?: string;
}

/** By run or campaign; without a name, all. */
function matchesName({ run = "", campaign }: LeftItem, name: string | undefined): boolean {
  return name === undefined || [campaign, run, `run/${run}`].includes(name);
}

/** Skipped workloads that did not fail have a listing of their own, so that there is one count of failures. */
function describeSkipped(skipped: readonly SkippedRow[], name: string | undefined): Pick<Listing, "notes" | "summary"> {
  const command = `meshroll get skipped${name === undefined ? "" : ` ${name}`}`;
  const count = skipped.length;
  if (count === 0) return { summary: { skipped: { count } } };
  const neighbours = skipped.filter(({ isNeighbour }) => isNeighbour === true).length;
  const only = neighbours === 0 ? "" : ` (${neighbours} only by the label of their namespace)`;
  const what = count === 1 ? "1 more was" : `${count} more were`;
  const said = `${what} skipped without a failure${only}:  `;
  const figures = { count, ...(neighbours === 0 ? {} : { neighbours }), command };
  return { summary: { skipped: figures }, notes: [[said, { command }]] };
}

/** So many causes are told under the rows; -o wide has that of each row. */
const mostCauses = 5;

/** What the pods said, under the rows: a sentence has no room in a column, and many workloads fail for one cause. */
function listCauses(all: readonly Failure[]): readonly Sentence[] {
  const told = all.map(({ item, failed: { cluster, workload } }) => ({ ...item, cluster, workload }));
  const groups = groupReasons(told, 1).filter(({ code, reason }) => code !== reason);
  const lines = groups.slice(0, mostCauses).map(({ count, reason, workloads: [first = ""] }): Sentence => {
    return `${count === 1 ? first : count}  ${reason}`;
  });
  const more = groups.length - lines.length;
  return more === 0 ? lines : [...lines, `… ${more} more causes (-o wide has all)`];
}

/** The record of an ended run with this name. */
function findEnded({ snapshot }: FleetView, name: string | undefined): RunRecord | undefined {
  const record = lookUp(snapshot.ledger?.runs, findNamed("run", name) ?? name ?? "");
  return record?.state === "open" ? undefined : record;
}

/** Whether the options name it. Labels are those of a namespace that is seen; without labels one that is gone counts, too. */
function isInPart({ part, snapshot }: FleetView, { cluster, workload }: SkippedWorkload): boolean {
  const [namespace = ""] = workload.split("/");
  if (part.cluster !== undefined && part.cluster !== cluster) return false;
  if (part.namespace !== undefined && part.namespace !== namespace) return false;
  return part.labels === undefined || snapshot.clusters.get(cluster)?.namespaces.has(namespace) === true;
}

/** What an ended run's record names as failed, as far as it is not in the rows already: it was retried, or rolled back. */
function listRecorded(
  view: FleetView,
  record: RunRecord | undefined,
  listed: readonly Row[],
  now: string,
): readonly Row[] {
  const names = new Set(listed.map(({ name }) => name));
  const isShown = (each: SkippedWorkload): boolean =>
    each.failed === true && !names.has(`${each.cluster}:${each.workload}`) && isInPart(view, each);
  if (record === undefined) return [];
  return (record.outcome?.skipped ?? []).filter(isShown).map((each) => makeRecordedRow(record, each, now));
}

function makeRecordedRow({ id, campaign }: RunRecord, each: SkippedWorkload, now: string): Row {
  const { cluster, workload, code, message, at } = each;
  const told = { cluster, workload, reason: code, code, message, run: id, recorded: true };
  return {
    name: `${cluster}:${workload}`,
    cells: [workload, cluster, code, id, printAgeCell(at, now)],
    wide: ["-", campaign ?? "-", "-", at ?? "-", printText(message)],
    item: { ...told, ...dropAbsent({ at, campaign }) },
  };
}

/** Why failures of an ended run are listed though none of them waits for a person any more. */
function explainRecorded(view: FleetView, record: RunRecord | undefined, count: number): readonly Sentence[] {
  if (record === undefined || count === 0) return [];
  const by = findRollbackOf(record, Object.values(view.snapshot.ledger?.runs ?? {}));
  const how = by === undefined ? "when the run ended" : `before run ${by} rolled the run back`;
  return [`${count} of them as recorded ${how}: nothing is to be done for them now`];
}

/** Failures that are counted in the record of an archived run, whose workloads could not be read. */
function explainUnnamed(record: RunRecord | undefined): readonly Sentence[] {
  const { outcome, counts, id = "" } = record ?? {};
  const count = outcome === undefined ? (counts?.failed ?? 0) : 0;
  if (count === 0) return [];
  return [`${count} failed in run ${id}, and its record in the archive of branch meshroll/ledger was not read`];
}

/** Failures that were not dealt with, newest first; by run or campaign. Those of an ended run by its record, too. */
export function listFailures(view: FleetView, name: string | undefined): Listing {
  const { snapshot, failures, skipped } = view;
  const now = new Date(snapshot.now).toISOString();
  const asked = failures
    .filter(({ item }) => matchesName(item, name))
    .toSorted((a, b) => ((a.item.at ?? "") < (b.item.at ?? "") ? 1 : -1));
  const rows = asked.map(({ item, failed: { cluster, workload: key, judged } }): Row => {
    const { workload, ...told } = item;
    const { revision, code, at, run, campaign, message } = told;
    const running = nameRunning(judged.workload);
    return {
      name: workload,
      cells: [key, cluster, code, run ?? "-", printAgeCell(at, now)],
      wide: [revision, campaign ?? "-", running, at ?? "-", printText(message)],
      item: { ...told, cluster, workload: key, running, reason: code },
    };
  });
  const record = findEnded(view, name);
  const recorded = listRecorded(view, record, rows, now);
  const others = skipped.filter(({ item }) => matchesName(item, name));
  const left = describeSkipped(others, name);
  // Without the revision, which the campaign names, so that 80 columns have room for the arguments of `retry`.
  const header = ["NAME", "CLUSTER", "REASON", "RUN", "AGE"];
  return {
    kind: "FailureList",
    prefix: "failure",
    header,
    spare: ["AGE", "RUN"],
    wideHeader: ["REVISION", "CAMPAIGN", "RUNNING", "AT", "MESSAGE"],
    rows: [...rows, ...recorded],
    ...left,
    notes: [
      ...listCauses(asked),
      ...explainRecorded(view, record, recorded.length),
      ...explainUnnamed(record),
      ...(left.notes ?? []),
    ],
  };
}

/** One command for each reason, for the first workload with it. */
function listWays(all: readonly SkippedRow[]): readonly Sentence[] {
  const first = new Map(all.map(({ item }) => [item.code, item] as const).toReversed());
  return [...first.values()].toReversed().map(({ code, command }) => [`${code}:  `, { command }]);
}

/** Workloads that runs skipped without a failure and that are not where main wants them, newest first. */
export function listSkipped({ snapshot, skipped }: FleetView, name: string | undefined): Listing {
  const now = new Date(snapshot.now).toISOString();
  const asked = skipped.filter(({ item }) => matchesName(item, name));
  const rows = asked.map(({ item, judged, isNeighbour }): Row => {
    const { workload, code, run, campaign, revision, since, command, message } = item;
    const { cluster } = judged;
    const key = workload.slice(cluster.length + 1);
    // Of one that only its namespace's label concerns, what it runs says nothing.
    const running = isNeighbour === true ? undefined : nameRunning(judged.workload);
    return {
      name: workload,
      cells: [key, cluster, code, run, since === undefined ? "-" : printAgeCell(since, now)],
      wide: [revision, campaign ?? "-", running ?? "-", since ?? "-", command],
      item: { ...item, message, cluster, workload: key, ...dropAbsent({ running }), reason: code },
    };
  });
  return {
    kind: "SkippedList",
    prefix: "skipped",
    header: ["NAME", "CLUSTER", "REASON", "RUN", "AGE"],
    spare: ["AGE", "RUN"],
    wideHeader: ["REVISION", "CAMPAIGN", "RUNNING", "SINCE", "COMMAND"],
    rows,
    notes: listWays(asked),
  };
}
