import type { FleetStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { printCount } from "../../model/count.ts";
import { Command } from "../../parts/command.tsx";
import { Section } from "../../parts/section.tsx";
import { SkippedTable } from "../../parts/skipped-table.tsx";
import { WorkloadCells } from "../../parts/workload-cells.tsx";

type Item = NonNullable<FleetStatus["failures"]>["items"][number];

function Row({ item }: { readonly item: Item }) {
  return (
    <tr>
      <WorkloadCells workload={item.workload} kind="failed" />
      <td>{printText(item.message)}</td>
      <td>
        <code>{item.revision}</code>
      </td>
      <td>{item.run === undefined ? null : <Command text={`meshroll retry run/${item.run} --reason "…"`} />}</td>
    </tr>
  );
}

/** What failed, with its reason as text. */
export function Failures({ status: { failures } }: { readonly status: FleetStatus }) {
  if (failures === undefined || failures.count === 0)
    return (
      <Section id="failures" title="Failures" note="none">
        {null}
      </Section>
    );
  const { count, items, namespaces } = failures;
  const more = count - items.length;
  return (
    <Section
      id="failures"
      title="Failures"
      note={`${printCount(count, "workload")} in ${printCount(namespaces, "namespace")}`}
    >
      <div class="scroll" role="region" tabIndex={0} aria-label="Failures">
        <table class="stacked">
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
            {items.map((item) => (
              <Row key={item.workload + item.revision} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 ? <p class="quiet">and {more} more</p> : null}
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
