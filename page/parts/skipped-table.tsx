import type { Text } from "#libs/wording";

import { groupReasons } from "../model/reasons/group-reasons.ts";
import { Command } from "./command.tsx";
import { GroupedTable } from "./reasons/grouped-table.tsx";
import { Section } from "./section.tsx";
import { WorkloadCells } from "./workload-cells.tsx";

/** One workload, `cluster:namespace/Kind/name`; unknown values are absent. */
interface SkippedRow {
  readonly workload: string;
  readonly message: Text;
  readonly failed?: boolean;
  readonly revision?: string;
  readonly command?: string;
}

interface SkippedTableProps {
  readonly note: string;
  readonly rows: readonly SkippedRow[];
  /** The rows and those that the status does not list. */
  readonly count: number;
  /** The command that lists all. */
  readonly more: string;
}

/** Columns without any value are left out. */
function Row({ row, hasRevision, hasCommand }: { row: SkippedRow; hasRevision: boolean; hasCommand: boolean }) {
  const { workload, failed, revision, command } = row;
  return (
    <tr>
      <WorkloadCells workload={workload} kind={failed === true ? "failed" : "skipped"} />
      {hasRevision ? (
        <td>
          <code>{revision}</code>
        </td>
      ) : null}
      {hasCommand ? <td>{command === undefined ? null : <Command text={command} />}</td> : null}
    </tr>
  );
}

/** Workloads that were skipped, of one run or of the fleet. */
export function SkippedTable({ note, rows, count, more }: SkippedTableProps) {
  if (count === 0) return null;
  const hasRevision = rows.some(({ revision }) => revision !== undefined);
  const hasCommand = rows.some(({ command }) => command !== undefined);
  return (
    <Section id="skipped" title="Skipped" note={note}>
      <GroupedTable
        label="Skipped workloads"
        columns={[
          "workload",
          "cluster",
          ...(hasRevision ? ["did not reach"] : []),
          ...(hasCommand ? ["what to type"] : []),
        ]}
        groups={groupReasons(rows, ({ failed }) => String(failed === true))}
        mark={([first]) => (first?.failed === true ? "failed" : "skipped")}
        head={() => null}
        row={(row) => <Row key={row.workload} row={row} hasRevision={hasRevision} hasCommand={hasCommand} />}
      />
      {count > rows.length ? (
        <p class="quiet">
          and {count - rows.length} more: <Command text={more} />
        </p>
      ) : null}
    </Section>
  );
}
