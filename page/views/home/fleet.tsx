import type { NamespaceTable } from "#libs/plan";
import { computed } from "@preact/signals";

import { readChoice } from "../../live/address.ts";
import { status } from "../../live/connection.ts";
import { table } from "../../live/namespaces.ts";
import { cellKinds, judgeCell } from "../../drawing/cell-kind.ts";
import { countKinds, nameKind } from "../../drawing/describe-bucket.ts";
import { filterRows, readFilter } from "../../model/namespace-view.ts";
import { Section } from "../../parts/section.tsx";
import { BucketPicture } from "./bucket-picture.tsx";

/** The largest buckets are drawn; the table below has all. */
const mostBuckets = 8;

/** Names that match the filter; undefined where all do. */
const chosen = computed(() => {
  const all = table.value;
  if (all === undefined) return undefined;
  const rows = filterRows(all, readFilter(readChoice));
  return rows.length === all.rows.length ? undefined : new Set(rows.map(([name]) => name));
});

/** Cells by bucket, the largest first. */
const drawn = computed(() => {
  const all = table.value;
  if (all === undefined) return [];
  const cells = all.rows.map((row) => ({ row, kind: judgeCell(all, row) }));
  return all.buckets
    .map((bucket, place) => ({ bucket, cells: cells.filter(({ row }) => row[1] === place) }))
    .filter((each) => each.cells.length > 0)
    .sort((a, b) => b.cells.length - a.cells.length);
});

/** Percentages of the bucket after the coming stages. */
function listComing(bucket: string): readonly number[] {
  const { campaigns = [] } = status.value ?? {};
  const sets = campaigns.flatMap(({ stages }) => stages.filter(({ reached }) => !reached).map(({ set }) => set));
  const found = sets.flatMap((set) => (Object.hasOwn(set, bucket) ? [set[bucket] ?? 0] : []));
  return [...new Set(found)].filter((percent) => percent < 100).sort((a, b) => a - b);
}

function Legend({ all }: { readonly all: NamespaceTable }) {
  const counts = countKinds(all.rows.map((row) => ({ kind: judgeCell(all, row) })));
  return (
    <ul class="legend" aria-label="Namespaces by state">
      {cellKinds.map((kind) => (
        <li key={kind}>
          <span class={`swatch swatch-${kind}`} aria-hidden="true" /> {nameKind(kind)} <b>{counts.get(kind) ?? 0}</b>
        </li>
      ))}
    </ul>
  );
}

/** The fleet: one cell is one namespace, from left to right in the order in which they move. */
export function Fleet() {
  const all = table.value;
  if (all === undefined) return null;
  const buckets = drawn.value;
  const more = buckets.length - mostBuckets;
  return (
    <Section
      id="fleet"
      title="Fleet"
      note="one cell is one namespace, from left to right in the order in which they move"
    >
      <Legend all={all} />
      {buckets.slice(0, mostBuckets).map(({ bucket, cells }) => (
        <BucketPicture
          key={bucket.bucket}
          bucket={bucket}
          cells={cells}
          coming={listComing(bucket.bucket)}
          chosen={chosen.value}
        />
      ))}
      {more > 0 ? <p class="quiet">{more} smaller buckets are in the table below.</p> : null}
    </Section>
  );
}
