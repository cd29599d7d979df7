import type { FleetStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { printCount } from "../../model/count.ts";
import { nameRetry } from "../../model/fleet/name-retry.ts";
import { linkRun } from "../../model/places.ts";
import { Command } from "../../parts/command.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { SkippedTable } from "../../parts/skipped-table.tsx";
import { WorkloadCells } from "../../parts/workload-cells.tsx";

type Item = NonNullable<FleetStatus["failures"]>["items"][number];

/** Rows of the table; the command lists all. */
const shown = 20;

function Row({ item }: { readonly item: Item }) {
  return (
    <tr>
      <WorkloadCells workload={item.workload} kind="failed" />
      <td>
        {printText(item.message)}
        {item.at === undefined ? null : (
          <span class="quiet">
            {" "}
            at <Moment at={item.at} />
          </span>
        )}
      </td>
      <td>
        <code>
          <bdi>{item.revision}</bdi>
        </code>
        <span class="line">
          {item.run === undefined ? (
            <span class="quiet">run not known</span>
          ) : (
            <a href={linkRun(item.run)}>
              run <bdi>{item.run}</bdi>
            </a>
          )}
        </span>
      </td>
      <td>
        <Command text={nameRetry(item)} />
      </td>
    </tr>
  );
}

/** What failed, with its reason and what its pods say as text. */
export function Failures({ status: { failures } }: { readonly status: FleetStatus }) {
  if (failures === undefined || failures.count === 0)
    return (
      <Section id="failures" title="Failures" note="none">
        {null}
      </Section>
    );
  const { count, items, namespaces } = failures;
  const listed = items.slice(0, shown);
  const more = count - listed.length;
  return (
    <Section
      id="failures"
      title="Failures"
      note={`${printCount(count, "workload")} in ${printCount(namespaces, "namespace")}`}
    >
      <div class="scroll" role="region" tabIndex={0} aria-label="Failures">
        <table class="stacked failures">
          <thead>
            <tr>
              <th scope="col">workload</th>
              <th scope="col">cluster</th>
              <th scope="col">reason</th>
              <th scope="col">did not reach</th>
              <th scope="col">to try again</th>
            </tr>
          </thead>
          <tbody>
            {listed.map((item) => (
              <Row key={item.workload + item.revision} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 ? (
        <p class="quiet">
          and {more} more: <Command text="meshroll get failures" />
        </p>
      ) : null}
    </Section>
  );
}

/** Workloads that runs skipped without a failure, those of ended runs included. */
export function Skipped({ status: { skipped } }: { readonly status: FleetStatus }) {
  if (skipped === undefined) return null;
  const { count, items, namespaces } = skipped;
  const note = `${printCount(count, "workload")} in ${printCount(namespaces, "namespace")}, none of them failed`;
  return <SkippedTable note={note} rows={items} count={count} more="meshroll get skipped" />;
}
