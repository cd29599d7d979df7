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

/** Failures that were not dealt with, newest first; by run or campaign. */
export function listFailures({ snapshot, failures, skipped }: FleetView, name: string | undefined): Listing {
  const now = new Date(snapshot.now).toISOString();
  const rows = failures
    .filter(({ item }) => matchesName(item, name))
    .toSorted((a, b) => ((a.item.at ?? "") < (b.item.at ?? "") ? 1 : -1))
    .map(({ item, failed: { cluster, workload: key, judged } }): Row => {
      const { revision, code, at, run, campaign } = item;
      const { message: _, workload, ...told } = item;
      return {
        name: workload,
        cells: [key, cluster, code, run ?? "-", printAgeCell(at, now)],
        wide: [revision, campaign ?? "-", nameRunning(judged.workload), at ?? "-"],
        item: { ...told, cluster, workload: key, reason: code },
      };
    });
  // Without the revision, which the campaign names, so that 80 columns have room for the arguments of `retry`.
  const header = ["NAME", "CLUSTER", "REASON", "RUN", "AGE"];
  return {
    kind: "FailureList",
    prefix: "failure",
    header,
    wideHeader: ["REVISION", "CAMPAIGN", "RUNNING", "AT"],
    rows,
    ...describeSkipped(
      skipped.filter(({ item }) => matchesName(item, name)),
      name,
    ),
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
    wideHeader: ["REVISION", "CAMPAIGN", "RUNNING", "SINCE", "COMMAND"],
    rows,
    notes: listWays(asked),
  };
}
