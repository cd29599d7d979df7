import type { FleetStatus } from "#libs/plan";
import { printWorkloadReason } from "#libs/wording";

import type { Reading } from "../../options/reading-options.ts";
import type { Listing, Row } from "../../show/listing.ts";
import { listDrift } from "../../show/rows/get-drift-rows.ts";
import { listWorkloads } from "../../show/rows/get-fleet-rows.ts";
import type { FleetView } from "../../show/rows/narrow-view.ts";
import { sayTime } from "../../show/status/print-answers.ts";
import { printStops } from "../../show/status/print-stops.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import type { Description, Section } from "./description.ts";
import { listRowFields } from "./row-fields.ts";

/** Each row of a listing with the columns of `get -o wide`. */
export function describeRows(
  listing: Listing,
  addSections: (row: Row) => readonly Section[] = () => [],
): readonly Description[] {
  return listing.rows.map((row) => ({ fields: listRowFields(listing, row), sections: addSections(row) }));
}

/** Workloads: what they run, what failed or was skipped, and what differs from main though no run moves it. */
export function describeWorkloads(view: FleetView, name: string, reading: Reading): readonly Description[] {
  const drift = new Map(listDrift(view, undefined).rows.map((row) => [row.name, row.item as { command?: string }]));
  const say = (at: string): string => sayTime(at, reading);
  return describeRows(listWorkloads(view, name), (row) => {
    const failed = view.failures.filter(({ item }) => item.workload === row.name);
    const skipped = view.skipped.filter(({ item }) => item.workload === row.name);
    const drifted = drift.get(row.name);
    const command = drifted?.command;
    const brings: readonly Sentence[] = command === undefined ? [] : [[{ command }]];
    return [
      { title: "Failures", lines: failed.map(({ item }) => printWorkloadReason(item, say)) },
      {
        title: "Skipped",
        lines: skipped.flatMap(({ item }): readonly Sentence[] => [
          printWorkloadReason(item, say),
          [{ command: item.command }],
        ]),
      },
      { title: "Drift", lines: drifted === undefined ? [] : ["differs from main though no run moves it", ...brings] },
    ];
  });
}

/** Clusters: the figures, the open runs in it, what stops it, and what its executor cannot do. */
export function describeClusters(listing: Listing, status: FleetStatus, reading: Reading): readonly Description[] {
  return describeRows(listing, ({ name }) => {
    const shares = status.runs.flatMap((run) =>
      run.clusters.flatMap((share) => (share.cluster === name ? [{ id: run.id, share }] : [])),
    );
    const stops = status.stops.filter(({ scope, foundIn }) => scope === `cluster/${name}` || foundIn === name);
    const rows = shares.map(({ id, share }) => [
      id,
      ...[
        share.workloads,
        share.migrated,
        share.migrating,
        share.pending,
        share.waiting,
        share.skipped,
        share.failed,
      ].map(String),
    ]);
    const header = ["RUN", "WORKLOADS", "MIGRATED", "MIGRATING", "PENDING", "WAITING", "SKIPPED", "FAILED"];
    return [
      { title: "Runs", table: { header, rows, spare: ["WAITING", "PENDING"] } },
      { title: "Stops", lines: stops.length === 0 ? [] : printStops({ stops }, reading) },
      { title: "Problems", lines: status.clusters.find((each) => each.name === name)?.problems ?? [] },
    ];
  });
}
