import { findRunNamed } from "#libs/input";
import type { FleetStatus } from "#libs/plan";

import { status } from "../../live/connection.ts";
import { printCount } from "../../model/count.ts";
import { Command } from "../../parts/command.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { SkippedTable } from "../../parts/skipped-table.tsx";
import { Title } from "../../parts/title.tsx";
import { Waits } from "../../parts/waits.tsx";

type Run = FleetStatus["runs"][number];

const counts = ["migrated", "idle", "migrating", "pending", "waiting", "skipped", "failed"] as const;

function Clusters({ run }: { readonly run: Run }) {
  return (
    <Section id="clusters" title="By cluster" note="workloads that the run has to move, and where they are">
      <div class="scroll" role="region" tabIndex={0} aria-label="Clusters of the run">
        <table>
          <thead>
            <tr>
              <th scope="col">cluster</th>
              <th scope="col" class="number">
                workloads
              </th>
              {counts.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {run.clusters.map((share) => (
              <tr key={share.cluster}>
                <th scope="row">
                  <bdi>{share.cluster}</bdi>
                </th>
                <td class="number">{share.workloads}</td>
                {counts.map((name) => (
                  <td key={name} class={name === "failed" && share.failed > 0 ? "number warn" : "number"}>
                    {share[name]}
                  </td>
                ))}
                <td>
                  <ShareBar actual={(100 * share.migrated) / Math.max(1, share.workloads)} requested={100} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Skipped({ run: { id, skipped, skippedTotal } }: { readonly run: Run }) {
  const rows = skipped.map((each) => ({ ...each, workload: `${each.cluster}:${each.workload}` }));
  const note = `${printCount(skippedTotal, "workload")} that the run gave up`;
  return <SkippedTable note={note} rows={rows} count={skippedTotal} more={`meshroll get failures run/${id}`} />;
}

/** Only waits that concern this run: of the whole fleet, of its clusters, or its own. */
function narrow(fleet: FleetStatus, id: string): FleetStatus {
  return {
    ...fleet,
    waiting: fleet.waiting.filter(({ scope }) => scope === "all" || findRunNamed(scope) === id),
  };
}

/** It is a rollback, or one of it is in force, so there is none to request. */
function isGoingBack({ id }: Run, { rollback, stops }: FleetStatus): boolean {
  return rollback?.run === id || stops.some(({ scope, cause }) => cause === "rollback" && scope === `run/${id}`);
}

function Known({ run, fleet }: { readonly run: Run; readonly fleet: FleetStatus }) {
  return (
    <>
      <dl class="facts">
        <dt>merged</dt>
        <dd>
          <bdi>{run.subject}</bdi>{" "}
          <span class="quiet">
            by <bdi>{run.author}</bdi>
            {run.commit === undefined ? null : `, commit ${run.commit.slice(0, 12)}`}
          </span>
        </dd>
        <dt>began</dt>
        <dd>
          <Moment at={run.startedAt} />
        </dd>
        <dt>so far</dt>
        <dd>
          <b>{run.migrated}</b> of {run.workloads} workloads migrated, {run.idle} idle, {run.migrating} restarting,{" "}
          {run.pending} pending, {run.waiting} waiting, {run.skippedTotal} skipped
        </dd>
      </dl>
      <Clusters run={run} />
      <Waits status={narrow(fleet, run.id)} />
      <Skipped run={run} />
      <Section id="commands" title="What a person can do">
        <ul class="plain">
          <li>
            <Command text={`meshroll pause run/${run.id} --reason "…"`} /> moves nothing more; in-flight rollouts
            continue
          </li>
          {isGoingBack(run, fleet) ? null : (
            <li>
              <Command text={`meshroll rollback run/${run.id} --reason "…"`} /> opens a pull request that undoes the run
            </li>
          )}
          <li>
            <Command text={`meshroll history run/${run.id}`} /> has every decision, from the ledger
          </li>
        </ul>
      </Section>
    </>
  );
}

/** One open run: its workloads, progress in each cluster, waits, and skipped workloads. */
export function RunView({ id }: { readonly id: string }) {
  const fleet = status.value;
  const run = fleet?.runs.find((each) => each.id === id);
  return (
    <>
      <Title text={`run ${id}`}>
        Run <bdi>{id}</bdi>
      </Title>
      {fleet === undefined ? (
        <p class="quiet">No planner has published a status yet.</p>
      ) : run === undefined ? (
        <p>
          No run with this id is open. The decisions of a finished run are in the ledger:{" "}
          <Command text={`meshroll history run/${id}`} />
        </p>
      ) : (
        <Known run={run} fleet={fleet} />
      )}
    </>
  );
}
