import type { RecordReport } from "#libs/plan";

import { printCount } from "../../model/count.ts";
import { nameDifference, readDeed } from "../../model/run/deed.ts";
import { Command } from "../../parts/command.tsx";
import { Section } from "../../parts/section.tsx";
import { SkippedTable } from "../../parts/skipped-table.tsx";
import { WorkloadCells } from "../../parts/workload-cells.tsx";
import type { RunFacts } from "./run-facts.ts";

type Group = NonNullable<RecordReport["differences"]>[number];

function Difference({ group: { why, count, items } }: { readonly group: Group }) {
  const title = `${nameDifference(why)}: ${printCount(count, "workload")}`;
  return (
    <details class="twin">
      <summary>{title}</summary>
      <div class="scroll" role="region" tabIndex={0} aria-label={title}>
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">workload</th>
              <th scope="col">cluster</th>
              <th scope="col">more</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ cluster, workload, reason }) => (
              <tr key={`${cluster}:${workload}`}>
                <WorkloadCells workload={`${cluster}:${workload}`} kind={why === "failed" ? "failed" : "skipped"} />
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > items.length ? <p class="quiet">and {printCount(count - items.length, "workload")} more</p> : null}
    </details>
  );
}

function Differences({ record: { differences, listed, state } }: { readonly record: RecordReport }) {
  if (state === "open" && listed !== undefined)
    return <p class="quiet">What differs from the list is recorded when the run ends.</p>;
  if (differences === undefined) return null;
  if (differences.length === 0) return <p>No difference: what was listed was moved, and nothing else.</p>;
  return (
    <>
      {differences.map((group) => (
        <Difference key={group.why} group={group} />
      ))}
    </>
  );
}

/** What its pull request listed, and what became of it. */
export function Deed({ facts: { record, now } }: { readonly facts: RunFacts }) {
  const deed = readDeed(record, now);
  if (deed === undefined) return null;
  const { listed, moved, idle, skipped, failed, left, leftover } = deed;
  return (
    <Section id="deed" title="List against deed">
      <dl class="facts">
        <dt>listed</dt>
        <dd>
          {listed === undefined
            ? "no list: the change was not merged from a stage's pull request"
            : `${printCount(listed, "workload")} in its pull request`}
        </dd>
        <dt>moved</dt>
        <dd>
          {printCount(moved, "workload")}
          {idle === 0 ? null : <span class="quiet">, and {idle} idle, without pods to prove it</span>}
        </dd>
        <dt>not moved</dt>
        <dd>
          {skipped} skipped{failed === undefined || failed === 0 ? null : <b class="warn">, {failed} of them failed</b>}
          {left === 0 ? null : `, ${left} left`}
        </dd>
        {leftover === 0 ? null : (
          <>
            <dt>not listed</dt>
            <dd>{printCount(leftover, "workload")} that an earlier stage left over</dd>
          </>
        )}
      </dl>
      <Differences record={record} />
      {record.archived === true ? (
        <p class="quiet">
          The record is in the ledger's archive, with its gates, skipped workloads and differences:{" "}
          <Command text={`meshroll describe run/${record.id}`} />
        </p>
      ) : null}
    </Section>
  );
}

/** Workloads that it gave up, with their reasons. */
export function GivenUp({ facts: { record, now } }: { readonly facts: RunFacts }) {
  const own = (now?.skipped ?? record.skipped ?? []).filter(
    (each) => !("neighbour" in each && each.neighbour === true),
  );
  const count = Math.max(own.length, now?.skippedTotal ?? record.counts?.skipped ?? 0);
  const rows = own.map((each) => ({ ...each, workload: `${each.cluster}:${each.workload}` }));
  const failed = own.filter((each) => each.failed === true).length;
  const note = `${printCount(count, "workload")} that the run gave up${failed === 0 ? "" : `, ${failed} failed`}`;
  const kind = failed > 0 ? "failures" : "skipped";
  return <SkippedTable note={note} rows={rows} count={count} more={`meshroll get ${kind} run/${record.id}`} />;
}
