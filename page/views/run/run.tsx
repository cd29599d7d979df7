import { findRunNamed } from "#libs/input";
import type { FleetStatus, RecordReport } from "#libs/plan";
import { useEffect } from "preact/hooks";

import { status } from "../../live/connection.ts";
import { followRun, runAnswer } from "../../live/run-report.ts";
import { Command } from "../../parts/command.tsx";
import { RecentHistory } from "../../parts/history/recent-history.tsx";
import { Title } from "../../parts/title.tsx";
import { Waits } from "../../parts/waits.tsx";
import { Batches } from "./batches.tsx";
import { Clusters } from "./clusters.tsx";
import { Commands } from "./commands.tsx";
import { Deed, GivenUp } from "./deed.tsx";
import { Gates } from "./gates.tsx";
import { Head } from "./head.tsx";
import { Progress } from "./progress.tsx";
import { readRunFacts, type RunFacts } from "./run-facts.ts";

/** Only waits that concern this run: of the whole fleet, of its campaign, of its clusters, or its own. */
function narrow(fleet: FleetStatus, { id, campaign }: RecordReport): FleetStatus {
  const own = new Set(["all", ...(campaign === undefined ? [] : [`campaign/${campaign}`])]);
  return { ...fleet, waiting: fleet.waiting.filter(({ scope }) => own.has(scope) || findRunNamed(scope) === id) };
}

function Known({ facts }: { readonly facts: RunFacts }) {
  const { record, now, fleet } = facts;
  return (
    <>
      <Head facts={facts} />
      <Progress facts={facts} />
      {now === undefined || fleet === undefined ? null : <Waits status={narrow(fleet, record)} />}
      <Batches facts={facts} />
      {now === undefined ? null : <Clusters run={now} />}
      <Gates facts={facts} />
      <Deed facts={facts} />
      <GivenUp facts={facts} />
      <Commands facts={facts} />
      <RecentHistory subject={`run/${record.id}`} title="What the ledger says" />
    </>
  );
}

/** Neither the status nor a report has it. */
function Unknown({ id }: { readonly id: string }) {
  const { kind } = runAnswer.value;
  if (kind === "reading") return <p class="loading">Reading the run.</p>;
  if (kind === "unknown" && status.value === undefined)
    return <p class="quiet">No planner has published a status yet.</p>;
  return (
    <>
      <p>
        {kind === "unknown"
          ? "No run with this id is open, and the planner has published no ended ones."
          : "No run with this id is open, and it is none of the newest. The ledger has all of them:"}
      </p>
      <ul class="plain">
        <li>
          <Command text={`meshroll describe run/${id}`} /> says what it did
        </li>
        <li>
          <Command text={`meshroll history run/${id}`} /> has every decision
        </li>
      </ul>
    </>
  );
}

/** One run, open or ended: its course, its gates, what it was to move and what it moved. */
export function RunView({ id }: { readonly id: string }) {
  useEffect(() => followRun(id), [id]);
  const facts = readRunFacts(id);
  return (
    <>
      <Title text={`run ${id}`}>
        Run <bdi>{id}</bdi>
      </Title>
      {facts === undefined ? <Unknown id={id} /> : <Known facts={facts} />}
    </>
  );
}
