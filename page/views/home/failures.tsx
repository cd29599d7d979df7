import type { FleetStatus } from "#libs/plan";

import { printCount } from "../../model/count.ts";
import { nameRetry, nameRetryOfRun } from "../../model/fleet/name-retry.ts";
import { linkRun } from "../../model/places.ts";
import { groupReasons } from "../../model/reasons/group-reasons.ts";
import { Command } from "../../parts/command.tsx";
import { Moment } from "../../parts/moment.tsx";
import { GroupedTable } from "../../parts/reasons/grouped-table.tsx";
import { Section } from "../../parts/section.tsx";
import { SkippedTable } from "../../parts/skipped-table.tsx";
import { WorkloadCells } from "../../parts/workload-cells.tsx";

type Item = NonNullable<FleetStatus["failures"]>["items"][number];

function Row({ item }: { readonly item: Item }) {
  return (
    <tr>
      <WorkloadCells workload={item.workload} kind="failed" />
      <td>{item.at === undefined ? null : <Moment at={item.at} />}</td>
      <td>
        <code>
          <bdi>{item.revision}</bdi>
        </code>
      </td>
      <td>
        <Command text={nameRetry(item)} />
      </td>
    </tr>
  );
}

/** The run of a group and the command that tries all that failed in it again. */
function RunOf({ run }: Pick<Item, "run">) {
  if (run === undefined) return <span class="quiet">run not known</span>;
  return (
    <>
      <a href={linkRun(run)}>
        run <bdi>{run}</bdi>
      </a>
      <Command text={nameRetryOfRun(run)} />
    </>
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
  const more = count - items.length;
  return (
    <Section
      id="failures"
      title="Failures"
      note={`${printCount(count, "workload")} in ${printCount(namespaces, "namespace")}`}
    >
      <GroupedTable
        label="Failures"
        columns={["workload", "cluster", "when", "did not reach", "to try it again"]}
        groups={groupReasons(items, ({ run = "" }) => run)}
        mark={() => "failed"}
        head={({ rows }) => <RunOf {...(rows[0]?.run === undefined ? {} : { run: rows[0].run })} />}
        row={(item) => <Row key={item.workload + item.revision} item={item} />}
      />
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
