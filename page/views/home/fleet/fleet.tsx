import type { NamespaceTable } from "#libs/plan";
import { computed } from "@preact/signals";

import { cellKinds, judgeCell } from "../../../drawing/cell-kind.ts";
import { nameKind } from "../../../drawing/describe-bucket.ts";
import { countKinds, countLacking, listBucketStrips, listClusterStrips, type Strip } from "../../../drawing/strips.ts";
import { choose, readChoice } from "../../../live/address.ts";
import { status } from "../../../live/connection.ts";
import { table } from "../../../live/namespaces.ts";
import { filterRows, readFilter } from "../../../model/namespace-view.ts";
import { Section } from "../../../parts/section.tsx";
import { StripPicture } from "./strip-picture.tsx";
import { StripTable } from "./strip-table.tsx";

/** So many strips are drawn at first; the table has all. */
const mostStrips = 12;

/** Names that match the filter; undefined where all do. */
const chosen = computed(() => {
  const all = table.value;
  if (all === undefined) return undefined;
  const rows = filterRows(all, readFilter(readChoice));
  return rows.length === all.rows.length ? undefined : new Set(rows.map(([name]) => name));
});

/** An unknown choice is the usual one. */
const by = computed((): Strip["by"] => (readChoice("by") === "cluster" ? "cluster" : "bucket"));

const strips = computed((): readonly Strip[] => {
  const all = table.value;
  if (all === undefined) return [];
  return by.value === "cluster" ? listClusterStrips(all) : listBucketStrips(all);
});

/** Percentages of each bucket after the coming stages. */
const coming = computed((): ReadonlyMap<string, readonly number[]> => {
  const stages = (status.value?.campaigns ?? []).flatMap((campaign) => campaign.stages);
  const sets = stages.filter(({ reached }) => !reached).flatMap(({ set }) => Object.entries(set));
  const groups = Map.groupBy(sets, ([bucket]) => bucket);
  return new Map(
    [...groups].map(([bucket, entries]) => {
      const percents = new Set(entries.map(([, percent]) => percent).filter((percent) => percent < 100));
      return [bucket, [...percents].sort((a, b) => a - b)];
    }),
  );
});

/** Colours, shapes and their words, with counts. To lack pods is apart from how far a namespace is. */
function Legend({ all }: { readonly all: NamespaceTable }) {
  const counts = countKinds(all.rows.map((row) => ({ kind: judgeCell(all, row) })));
  return (
    <ul class="legend" aria-label="Namespaces by state">
      {cellKinds.map((kind) => (
        <li key={kind}>
          <span class={`swatch swatch-${kind}`} aria-hidden="true" /> {nameKind(kind)} <b>{counts.get(kind) ?? 0}</b>
        </li>
      ))}
      <li class="apart">
        <span class="swatch swatch-lacking" aria-hidden="true" /> lacks pods <b>{countLacking(all.rows)}</b>
      </li>
    </ul>
  );
}

function Grouping() {
  return (
    <fieldset class="grouping">
      <legend>one row is</legend>
      {(["bucket", "cluster"] as const).map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="by"
            value={each}
            checked={by.value === each}
            onChange={() => choose({ by: each === "bucket" ? "" : each })}
          />{" "}
          a {each}
        </label>
      ))}
    </fieldset>
  );
}

const notes = {
  bucket:
    "one cell is one namespace, from left to right in the order in which they move; " +
    "left of the line main requests the next revision",
  cluster:
    "one cell is one namespace; left of the line those for which main requests the next revision, " +
    "right of it those to come, the next ones first",
} as const;

/** The fleet: one cell is one namespace, from left to right in the order in which they move. */
export function Fleet() {
  const all = table.value;
  if (all === undefined) return null;
  const shown = readChoice("strips") === "all" ? strips.value : strips.value.slice(0, mostStrips);
  const more = strips.value.length - shown.length;
  return (
    <Section id="fleet" title="Fleet" note={notes[by.value]}>
      <div class="over-picture">
        <Legend all={all} />
        <Grouping />
      </div>
      <p class="quiet hint">Point at a cell to read its name, or walk with the arrow keys; Enter opens it.</p>
      {shown.map((strip) => (
        <StripPicture
          key={`${strip.by} ${strip.name}`}
          strip={strip}
          coming={strip.by === "bucket" ? (coming.value.get(strip.name) ?? []) : []}
          chosen={chosen.value}
        />
      ))}
      {more > 0 ? (
        <p>
          <button type="button" class="plain-button" onClick={() => choose({ strips: "all" })}>
            Draw {more} more
          </button>{" "}
          <span class="quiet">they are in the table below, too</span>
        </p>
      ) : null}
      <StripTable strips={strips.value} by={by.value} />
    </Section>
  );
}
