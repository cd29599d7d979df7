import type { FleetStatus } from "#libs/plan";

import { Command } from "../../parts/command.tsx";
import { Section } from "../../parts/section.tsx";
import type { RunFacts } from "./run-facts.ts";

/** It is a rollback, or one of it is in force or over, so there is none to request. */
function isGoingBack({ id, rolledBackBy, rollsBack }: RunFacts["record"], fleet: FleetStatus | undefined): boolean {
  if (rolledBackBy !== undefined || rollsBack !== undefined) return true;
  const stops = fleet?.stops ?? [];
  return fleet?.rollback?.run === id || stops.some(({ scope, cause }) => cause === "rollback" && scope === `run/${id}`);
}

/** Whether there is still something of it that could be undone. */
function mayRollBack({ record, fleet }: RunFacts): boolean {
  const { state, takenOverBy } = record;
  return (state === "open" || state === "done") && takenOverBy === undefined && !isGoingBack(record, fleet);
}

function hasFailed({ record, now }: RunFacts): boolean {
  if (now !== undefined) return now.clusters.some(({ failed }) => failed > 0);
  return (record.counts?.failed ?? 0) > 0 && record.rolledBackBy === undefined;
}

/** What a person with the rights may type. */
export function Commands({ facts }: { readonly facts: RunFacts }) {
  const { id, state } = facts.record;
  return (
    <Section id="commands" title="What a person can do">
      <ul class="plain">
        {state === "open" ? (
          <li>
            <Command text={`meshroll pause run/${id} --reason "…"`} /> moves nothing more; in-flight rollouts continue
          </li>
        ) : null}
        {hasFailed(facts) ? (
          <li>
            <Command text={`meshroll retry run/${id} --reason "…"`} /> tries what failed again
          </li>
        ) : null}
        {mayRollBack(facts) ? (
          <li>
            <Command text={`meshroll rollback run/${id} --reason "…"`} /> opens a pull request that undoes the run
          </li>
        ) : null}
        <li>
          <Command text={`meshroll describe run/${id}`} /> has all of this in a terminal
        </li>
        <li>
          <Command text={`meshroll history run/${id}`} /> has every decision about it
        </li>
      </ul>
    </Section>
  );
}
