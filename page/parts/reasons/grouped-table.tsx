import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import { isWhole } from "../../live/whole.ts";
import { printCount } from "../../model/count.ts";
import { splitWorkload } from "../../model/places.ts";
import type { ReasonGroup } from "../../model/reasons/group-reasons.ts";
import { Mark, type MarkKind } from "../mark.tsx";

interface WorkloadRow {
  readonly workload: string;
}

interface GroupProps<Row> {
  readonly group: ReasonGroup<Row>;
  readonly mark: (rows: readonly Row[]) => MarkKind;
  readonly columns: number;
  /** More about the group: its run, its command. */
  readonly head: (group: ReasonGroup<Row>) => ComponentChildren;
  readonly row: (row: Row) => JSX.Element;
}

/** Groups with more rows than this are closed at first. */
const mostOpen = 5;

function countNamespaces(rows: readonly WorkloadRow[]): number {
  return new Set(rows.map(({ workload }) => splitWorkload(workload).namespace)).size;
}

function Group<Row extends WorkloadRow>({ group: { reason, rows }, mark, columns, head, row }: GroupProps<Row>) {
  const chosen = useSignal<boolean | undefined>(undefined);
  const isOpen = chosen.value ?? rows.length <= mostOpen;
  const shown = isOpen || isWhole.value;
  const count = `${printCount(rows.length, "workload")} in ${printCount(countNamespaces(rows), "namespace")}`;
  return (
    <tbody>
      <tr class="group">
        <th colSpan={columns} scope="rowgroup">
          <Mark kind={mark(rows)} /> <span class="reason">{reason}</span>
          <div class="group-line">
            {rows.length <= mostOpen ? (
              <span>{count}</span>
            ) : (
              <button
                type="button"
                class="plain-button"
                aria-expanded={shown}
                onClick={() => void (chosen.value = !isOpen)}
              >
                {isOpen ? "Hide" : "Show"} {count}
              </button>
            )}
            {head({ reason, rows })}
          </div>
        </th>
      </tr>
      {shown ? rows.map(row) : null}
    </tbody>
  );
}

interface GroupedTableProps<Row> extends Omit<GroupProps<Row>, "group" | "columns"> {
  /** The table's name for assistive technology. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly groups: readonly ReasonGroup<Row>[];
}

/** Workloads in groups of one reason, which is said once. */
export function GroupedTable<Row extends WorkloadRow>({ label, columns, groups, ...rest }: GroupedTableProps<Row>) {
  return (
    <div class="scroll" role="region" tabIndex={0} aria-label={label}>
      <table class="stacked grouped">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <Group key={`${group.reason} ${group.rows[0]?.workload}`} group={group} columns={columns.length} {...rest} />
        ))}
      </table>
    </div>
  );
}
