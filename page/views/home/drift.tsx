import type { FleetStatus } from "#libs/plan";

import { printCount } from "../../model/count.ts";
import { Command } from "../../parts/command.tsx";
import { Section } from "../../parts/section.tsx";
import { WorkloadCells } from "../../parts/workload-cells.tsx";

/** Rows of the table; the command lists all. */
const shown = 20;

type PutBack = NonNullable<FleetStatus["putBack"]>;

function Workloads({ putBack: { first, insisting } }: { readonly putBack: PutBack }) {
  const insists = new Map(insisting.map(({ workload, manager }) => [workload, manager]));
  return (
    <div class="scroll" role="region" tabIndex={0} aria-label="Put back by owners' deploys">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">workload</th>
            <th scope="col">cluster</th>
            <th scope="col">a second time within a day</th>
          </tr>
        </thead>
        <tbody>
          {first.slice(0, shown).map((workload) => (
            <tr key={workload}>
              <WorkloadCells workload={workload} kind="skipped" />
              <td>{insists.has(workload) ? `by ${insists.get(workload) ?? ""}: left alone` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What owners' deploys put back: how many, by whom, and what stops that. */
function PutBackPart({ putBack }: { readonly putBack: PutBack }) {
  const { message, command, list, managers = [], workloads } = putBack;
  const more = workloads - Math.min(shown, putBack.first.length);
  return (
    <>
      <p>{message}.</p>
      <ul>
        {managers.map(({ manager, end }) => (
          <li key={manager}>
            what stops <code>{manager}</code> from putting the label back: {end}
          </li>
        ))}
      </ul>
      <Workloads putBack={putBack} />
      {more > 0 ? (
        <p class="quiet">
          and {more} more: <Command text={list} />
        </p>
      ) : null}
      <p>
        To bring them back: <Command text={command} />
      </p>
    </>
  );
}

/** What differs from main though no run moves it. */
export function Drift({ status: { putBack, unmoved } }: { readonly status: FleetStatus }) {
  if (putBack === undefined && unmoved === undefined) return null;
  const workloads = (putBack?.workloads ?? 0) + (unmoved?.workloads ?? 0);
  return (
    <Section id="drift" title="Drift" note={`${printCount(workloads, "workload")} on another revision than main says`}>
      {putBack === undefined ? null : <PutBackPart putBack={putBack} />}
      {unmoved === undefined ? null : (
        <p>
          {unmoved.message}. To bring them to what main says: <Command text={unmoved.command} />
        </p>
      )}
    </Section>
  );
}
