import type { ProgressPoint } from "#libs/plan";
import { useMemo } from "preact/hooks";

import { describeProgress, layOutCourse } from "../../model/run/run-course.ts";
import { Announcer } from "../../parts/announcer.tsx";
import { Chart } from "../../parts/chart/chart.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { Twin } from "../../parts/chart/twin.tsx";
import type { RunFacts } from "./run-facts.ts";

const counts = ["migrated", "idle", "migrating", "pending", "waiting", "skipped"] as const;
const titles: Readonly<Record<(typeof counts)[number], string>> = {
  migrated: "migrated",
  idle: "idle",
  migrating: "restarting",
  pending: "pending",
  waiting: "waiting",
  skipped: "skipped",
};

function Points({ points }: { readonly points: readonly ProgressPoint[] }) {
  return (
    <div class="scroll tall" role="region" tabIndex={0} aria-label="Workloads over time">
      <table>
        <thead>
          <tr>
            <th scope="col">from</th>
            {counts.map((name) => (
              <th key={name} scope="col" class="number">
                {titles[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.t}>
              <th scope="row">
                <Moment at={new Date(point.t).toISOString()} />
              </th>
              {counts.map((name) => (
                <td key={name} class="number">
                  {point[name]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const legend = [
  { swatch: "migrated", words: "migrated or idle" },
  { swatch: "given-up", words: "skipped" },
  { swatch: "left", words: "left" },
] as const;

function Legend() {
  return (
    <ul class="legend" aria-label="Areas of the chart, from below">
      {legend.map(({ swatch, words }) => (
        <li key={swatch}>
          <span class={`swatch swatch-${swatch}`} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}

/** The present counts; of an ended run the recorded ones. */
function readCounts({ now, record }: RunFacts): Omit<ProgressPoint, "t"> | undefined {
  if (now !== undefined) return { ...now, skipped: now.skippedTotal };
  if (record.counts === undefined) return undefined;
  const { migrated, idle, skipped, left } = record.counts;
  return { migrated, idle, skipped, pending: left, migrating: 0, waiting: 0 };
}

function Course({ facts, sentence }: { readonly facts: RunFacts; readonly sentence: string }) {
  const { report, span, until } = facts;
  const points = report?.series.progress.points ?? [];
  const data = useMemo(() => layOutCourse(points, until), [points, until]);
  const lines = useMemo(
    () => [
      { values: data.all, colour: "old", fill: "oldSoft", width: 1 } as const,
      { values: data.settled, colour: "old", fill: "old", width: 1 } as const,
      { values: data.done, colour: "new", fill: "new", width: 1 } as const,
    ],
    [data],
  );
  return (
    <>
      <Legend />
      <Chart
        label={`Workloads over time: ${sentence}`}
        height={220}
        span={span}
        times={data.times}
        lines={lines}
        top={Math.max(1, ...data.all)}
        whole
      />
      <Twin title="The same as a table">{() => <Points points={points} />}</Twin>
    </>
  );
}

/** Part of the time before the first sample, from which the course counts as unknown at its beginning. */
const noticed = 0.02;

function Unknown({ facts: { record, report, span } }: { readonly facts: RunFacts }) {
  const [first] = report?.series.progress.points ?? [];
  if (first === undefined)
    return (
      <p class="quiet">
        {record.state === "open"
          ? "Its course over time is not known yet: the planner writes it within seconds."
          : "Its course over time is not known: no planner recorded it, or the bus was wiped since."}
      </p>
    );
  if (first.t - span.from < noticed * (span.until - span.from)) return null;
  return (
    <p class="quiet">
      Its course is known since <Moment at={new Date(first.t).toISOString()} />; what was before is not recorded.
    </p>
  );
}

/** How many workloads are through, over time. */
export function Progress({ facts }: { readonly facts: RunFacts }) {
  const present = readCounts(facts);
  const sentence = present === undefined ? "its figures are not recorded" : describeProgress(present);
  const hasCourse = (facts.report?.series.progress.points.length ?? 0) > 0;
  const { now } = facts;
  return (
    <Section id="progress" title="Progress" note={sentence}>
      {now === undefined ? null : (
        <>
          <Announcer text={sentence} />
          <p>
            {now.migrating} restarting, {now.pending} pending, {now.waiting} waiting
          </p>
        </>
      )}
      {hasCourse ? <Course facts={facts} sentence={sentence} /> : null}
      <Unknown facts={facts} />
    </Section>
  );
}
