import type { GateLine } from "#libs/plan";
import { printText } from "#libs/wording";
import { useMemo } from "preact/hooks";

import { printNumber } from "../../model/print-number.ts";
import { layOutGate, listRunGates, type ShownGate } from "../../model/run/run-gates.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { Twin } from "../../parts/chart/twin.tsx";
import type { RunFacts } from "./run-facts.ts";

const marks = { pass: "done", fail: "failed", noData: "waiting", pending: "pending" } as const;
const words = { pass: "passed", fail: "failed", noData: "no data", pending: "not measured yet" } as const;
const times = { before: "before it moves", during: "while it moves", after: "after it moved" } as const;

function Row({ gate: { name, when, status, value, limit, why, at } }: { readonly gate: ShownGate }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>{when === undefined ? "" : times[when]}</td>
      <td class="verdict">
        <Mark kind={marks[status]} />
        {words[status]}
      </td>
      <td class="number">{value === undefined ? "–" : printNumber(value)}</td>
      <td class="number">{limit === undefined ? "–" : printNumber(limit)}</td>
      <td>
        {why === undefined ? null : printText(why)}
        {at === undefined ? null : (
          <span class="quiet">
            {" "}
            at <Moment at={at} />
          </span>
        )}
      </td>
    </tr>
  );
}

function Values({ line: { name, points } }: { readonly line: GateLine }) {
  return (
    <div class="scroll tall" role="region" tabIndex={0} aria-label={`Values of ${name}`}>
      <table class="narrow">
        <thead>
          <tr>
            <th scope="col">from</th>
            <th scope="col" class="number">
              value
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(([t, value]) => (
            <tr key={t}>
              <th scope="row">
                <Moment at={new Date(t).toISOString()} />
              </th>
              <td class="number">{printNumber(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function GateChart({ line, facts: { span, until } }: { readonly line: GateLine; readonly facts: RunFacts }) {
  const course = useMemo(() => layOutGate(line, until, span), [line, until, span.until]);
  const lines = useMemo(
    () => [
      { values: course.values, colour: "new" } as const,
      ...(line.limit === undefined
        ? []
        : [{ values: course.times.map(() => line.limit ?? 0), colour: "failed", dash: [6, 4], width: 1.5 } as const]),
    ],
    [course, line.limit],
  );
  return (
    <figure class="gate-chart">
      <figcaption>
        <b>
          <bdi>{line.name}</bdi>
        </b>{" "}
        <span class="quiet">
          {course.sentence.slice(line.name.length + 2)}
          {line.limit === undefined ? "" : " (dashed)"}
        </span>
      </figcaption>
      <Chart
        label={course.sentence}
        height={130}
        span={span}
        times={course.times}
        lines={lines}
        bottom={course.bottom}
        top={course.top}
      />
      <Twin title="The same as a table">{() => <Values line={line} />}</Twin>
    </figure>
  );
}

/** What the run's gates found, and what they measured over time. */
export function Gates({ facts }: { readonly facts: RunFacts }) {
  const { record, report, fleet } = facts;
  const gates = listRunGates(record, report, fleet);
  const lines = (report?.series.gates ?? []).filter(({ points }) => points.length > 0);
  if (gates.length === 0 && lines.length === 0) return null;
  return (
    <Section id="gates" title="Gates" note={String(gates.length)}>
      <div class="scroll" role="region" tabIndex={0} aria-label="Gates of the run">
        <table>
          <thead>
            <tr>
              <th scope="col">gate</th>
              <th scope="col">when</th>
              <th scope="col">verdict</th>
              <th scope="col" class="number">
                value
              </th>
              <th scope="col" class="number">
                limit
              </th>
              <th scope="col">why</th>
            </tr>
          </thead>
          <tbody>
            {gates.map((gate) => (
              <Row key={gate.name} gate={gate} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="gate-charts">
        {lines.map((line) => (
          <GateChart key={line.name} line={line} facts={facts} />
        ))}
      </div>
    </Section>
  );
}
