import type { Failure } from "#libs/plan";
import { groupReasons, printText } from "#libs/wording";

import type { Sentence } from "../../terminal/sentence.ts";
import type { Listing, Row } from "../listing.ts";
import { nameRunning } from "./get-fleet-rows.ts";
import { printAgeCell } from "./get-status-rows.ts";
import type { FleetView, SkippedRow } from "./narrow-view.ts";

interface LeftItem {
  readonly run?: string;
  readonly campaign?: string;
}

/** By run or campaign; without a name, all. */
function matchesName({ run = "", campaign }: LeftItem, name: string | undefined): boolean {
  return name === undefined || [campaign, run, `run/${run}`].includes(name);
}

/** Skipped workloads that did not fail have a listing of their own, so that there is one count of failures. */
function describeSkipped(count: number, name: string | undefined): Pick<Listing, "notes" | "summary"> {
  const command = `meshroll get skipped${name === undefined ? "" : ` ${name}`}`;
  if (count === 0) return { summary: { skipped: { count } } };
  const what = count === 1 ? "1 more was" : `${count} more were`;
  return { summary: { skipped: { count, command } }, notes: [[`${what} skipped without a failure:  `, { command }]] };
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

/** Failures that were not dealt with, newest first; by run or campaign. */
export function listFailures({ snapshot, failures, skipped }: FleetView, name: string | undefined): Listing {
  const now = new Date(snapshot.now).toISOString();
  const asked = failures
    .filter(({ item }) => matchesName(item, name))
    .toSorted((a, b) => ((a.item.at ?? "") < (b.item.at ?? "") ? 1 : -1));
  const rows = asked.map(({ item, failed: { cluster, workload: key, judged } }): Row => {
    const { workload, ...told } = item;
    const { revision, code, at, run, campaign, message } = told;
    return {
      name: workload,
      cells: [key, cluster, code, run ?? "-", printAgeCell(at, now)],
      wide: [revision, campaign ?? "-", nameRunning(judged.workload), at ?? "-", printText(message)],
      item: { ...told, cluster, workload: key, reason: code },
    };
  });
  const left = describeSkipped(skipped.filter(({ item }) => matchesName(item, name)).length, name);
  // Without the revision, which the campaign names, so that 80 columns have room for the arguments of `retry`.
  const header = ["NAME", "CLUSTER", "REASON", "RUN", "AGE"];
  return {
    kind: "FailureList",
    prefix: "failure",
    header,
    spare: ["AGE", "RUN"],
    wideHeader: ["REVISION", "CAMPAIGN", "RUNNING", "AT", "WHY"],
    rows,
    ...left,
    notes: [...listCauses(asked), ...(left.notes ?? [])],
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
    const runs = isNeighbour === true ? "-" : nameRunning(judged.workload);
    return {
      name: workload,
      cells: [key, cluster, code, run, since === undefined ? "-" : printAgeCell(since, now)],
      wide: [revision, campaign ?? "-", runs, since ?? "-", command],
      item: { ...item, message, cluster, workload: key, reason: code },
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
