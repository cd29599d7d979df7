import type { BatchBar } from "#libs/plan";
import { useMemo } from "preact/hooks";

import { type BatchRow, drawingWidth, layOutBatches, nameBatch } from "../../drawing/lay-out-batches.ts";
import { printCount } from "../../model/count.ts";
import { printDuration } from "../../model/duration.ts";
import type { Span } from "../../model/run/run-course.ts";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { Twin } from "../../parts/chart/twin.tsx";
import type { RunFacts } from "./run-facts.ts";

const edge = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

function percent(units: number): string {
  return `${(100 * units) / drawingWidth}%`;
}

function Row({ row: { cluster, bars } }: { readonly row: BatchRow }) {
  return (
    <div class="lane">
      <p>
        <bdi>{cluster}</bdi>
      </p>
      <div class="lane-bars">
        {bars.map(({ bar, x, width }) => (
          <span
            key={bar.from}
            class={bar.open === true ? "batch batch-open" : "batch"}
            style={{ left: percent(x), width: percent(width) }}
          >
            {bar.batch}
          </span>
        ))}
      </div>
    </div>
  );
}

function Edges({ span }: { readonly span: Span }) {
  return (
    <div class="axis lane-axis" aria-hidden="true">
      <span class="at-start" style={{ left: "0%" }}>
        {edge.format(new Date(span.from))}
      </span>
      <span class="at-end" style={{ left: "100%" }}>
        {edge.format(new Date(span.until))}
      </span>
    </div>
  );
}

function Bars({ bars }: { readonly bars: readonly BatchBar[] }) {
  return (
    <div class="scroll tall" role="region" tabIndex={0} aria-label="Batches over time">
      <table>
        <thead>
          <tr>
            <th scope="col">cluster</th>
            <th scope="col">batch</th>
            <th scope="col">seen first</th>
            <th scope="col">over</th>
            <th scope="col">took</th>
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={`${bar.cluster} ${bar.from}`}>
              <th scope="row">
                <bdi>{bar.cluster}</bdi>
              </th>
              <td>{nameBatch(bar)}</td>
              <td>
                <Moment at={new Date(bar.from).toISOString()} />
              </td>
              <td>{bar.open === true ? "in hand" : <Moment at={new Date(bar.until).toISOString()} />}</td>
              <td>{bar.open === true ? "" : printDuration(bar.until - bar.from)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describe(bars: readonly BatchBar[]): string {
  const open = bars.filter((bar) => bar.open === true);
  const over = bars.length - open.length;
  const clusters = new Set(bars.map(({ cluster }) => cluster)).size;
  return `${over} over and ${open.length} in hand, in ${printCount(clusters, "cluster")}`;
}

/** Each cluster's batches, on the time axis of the progress. */
export function Batches({ facts: { report, span, until } }: { readonly facts: RunFacts }) {
  const bars = report?.series.batches ?? [];
  const rows = useMemo(() => layOutBatches(bars, span, until), [bars, span.until, until]);
  if (bars.length === 0) return null;
  const sentence = describe(bars);
  const cut = report?.series.cutBatches ?? 0;
  return (
    <Section id="batches" title="Batches over time" note={sentence}>
      <ul class="legend" aria-label="Bars of the chart">
        <li>
          <span class="swatch swatch-migrated" aria-hidden="true" /> over
        </li>
        {bars.some(({ open }) => open === true) ? (
          <li>
            <span class="swatch swatch-moving" aria-hidden="true" /> in hand
          </li>
        ) : null}
      </ul>
      <div class="lanes" role="img" aria-label={`Batches over time: ${sentence}`}>
        {rows.map((row) => (
          <Row key={row.cluster} row={row} />
        ))}
        <Edges span={span} />
      </div>
      {cut === 0 ? null : <p class="quiet">{printCount(cut, "earlier bar")} left out.</p>}
      <Twin title="The same as a table">{() => <Bars bars={bars} />}</Twin>
    </Section>
  );
}
