import type { CampaignStatus, FleetStatus, NamespaceTable } from "#libs/plan";
import { printText } from "#libs/wording";

import { printCount } from "../../model/count.ts";
import { status } from "../../live/connection.ts";
import { table } from "../../live/namespaces.ts";
import { judgeMove, type MoveOutlook } from "../../model/move-outlook.ts";
import { type NamespaceLine, readRow } from "../../model/namespace-view.ts";
import { splitWorkload } from "../../model/places.ts";
import { Command } from "../../parts/command.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Countdown } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { Title } from "../../parts/title.tsx";
import { describeState } from "../../parts/states.ts";

function Why({ line, all }: { readonly line: NamespaceLine; readonly all: NamespaceTable }) {
  const bucket = all.buckets.find((each) => each.bucket === line.bucket);
  const shares = bucket?.shares.map(({ revision, requested }) => `${revision} ${requested} %`).join(", ") ?? "";
  return (
    <dl class="facts">
      <dt>bucket</dt>
      <dd>
        <code>
          <bdi>{line.bucket}</bdi>
        </code>{" "}
        <span class="quiet">
          {line.bucket === "production" ? "what matches no other pattern" : "the longest pattern that matches the name"}
          : {shares}
        </span>
      </dd>
      {line.movesAt === undefined ? null : (
        <>
          <dt>position</dt>
          <dd>
            it runs <code>{line.to}</code> when its bucket gives that revision more than <b>{line.movesAt} %</b>
          </dd>
        </>
      )}
      <dt>requested</dt>
      <dd>
        <code>{line.requested}</code> <span class="quiet">by commit {all.head.slice(0, 12)} of main</span>
      </dd>
      <dt>runs</dt>
      <dd>
        <code>{line.actual ?? "several revisions"}</code>{" "}
        <span class="quiet">
          {printCount(line.workloads, "workload")} in {line.clusters.join(", ")}
          {line.unhealthy === 0 ? "" : `, ${line.unhealthy} of them lack pods`}
        </span>
      </dd>
    </dl>
  );
}

const outlooks: Readonly<Record<MoveOutlook["kind"], string>> = {
  moved: "It runs what main requests: nothing is to come.",
  now: "Main requests the move: it goes with the batches that are under way.",
  stopped: "Its move failed and is not tried again by itself.",
  waiting: "Its move waits for its owner.",
  stage: "It moves with a stage that is still to come.",
  unplanned: "No stage of a campaign moves it: a merged change of rollouts.yml does.",
};

function When({ outlook }: { readonly outlook: MoveOutlook }) {
  return (
    <>
      <p>{outlooks[outlook.kind]}</p>
      {outlook.kind === "stage" ? (
        <dl class="facts">
          <dt>stage</dt>
          <dd>
            <bdi>{outlook.stage}</bdi> of <bdi>{outlook.campaign}</bdi>, which gives {outlook.percent} %
          </dd>
          <dt>not before</dt>
          <dd>
            {outlook.opensAt === undefined ? (
              "not known yet: the stages before it come first"
            ) : (
              <>
                <Countdown until={outlook.opensAt} />, when its pull request opens
              </>
            )}
          </dd>
        </dl>
      ) : null}
    </>
  );
}

function Failed({ items }: { readonly items: NonNullable<FleetStatus["failures"]>["items"] }) {
  if (items.length === 0) return null;
  return (
    <Section id="failed" title="What failed">
      <ul class="plain">
        {items.map((item) => (
          <li key={item.workload}>
            <Mark kind="failed" /> <bdi>{item.workload}</bdi>: {printText(item.message)}
            {item.run === undefined ? null : <Command text={`meshroll retry run/${item.run} --reason "…"`} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Commands for the owner: to opt out, or to look closer. */
function Commands({ name, line }: { readonly name: string; readonly line: NamespaceLine }) {
  const runs = line.actual ?? line.requested;
  return (
    <ul class="plain">
      <li>
        <Command text={`meshroll pin ${name} ${runs} --for 7d --reason "…"`} /> stays on {runs} for a week
      </li>
      <li>
        <Command text={`kubectl annotate namespace ${name} meshroll.dev/opt-out="…"`} /> opts out until the annotation
        is removed
      </li>
      <li>
        <Command text={`meshroll explain ${name}`} /> says the same in a terminal, workload by workload
      </li>
      <li>
        <Command text={`meshroll hold namespace/${name} --reason "…"`} /> holds its next move
      </li>
    </ul>
  );
}

function Known({
  line,
  all,
  fleet,
}: {
  readonly line: NamespaceLine;
  readonly all: NamespaceTable;
  readonly fleet: FleetStatus;
}) {
  const { word, mark } = describeState(line.state);
  const campaigns: readonly CampaignStatus[] = fleet.campaigns ?? [];
  const items = fleet.failures?.items.filter(({ workload }) => splitWorkload(workload).namespace === line.name) ?? [];
  return (
    <>
      <p class="state">
        <Mark kind={mark} /> {word}
      </p>
      <Section id="when" title="When it moves">
        <When outlook={judgeMove(line, campaigns)} />
      </Section>
      <Failed items={items} />
      <Section id="why" title="What it runs, and why">
        <Why line={line} all={all} />
      </Section>
      <Section id="opt-out" title="What its owner can do">
        <Commands name={line.name} line={line} />
      </Section>
    </>
  );
}

/** A namespace for its owner: what it runs and why, when it moves, what happened, and how to opt out. */
export function Namespace({ name }: { readonly name: string }) {
  const [all, fleet] = [table.value, status.value];
  const row = all?.rows.find(([each]) => each === name);
  return (
    <>
      <Title text={name}>
        <bdi>{name}</bdi>
      </Title>
      {all === undefined || fleet === undefined ? (
        <p class="quiet">No planner has published its namespaces yet.</p>
      ) : row === undefined ? (
        <p>
          No managed namespace has this name. It may be unmanaged, or not in a cluster that meshroll sees:{" "}
          <Command text={`meshroll explain ${name}`} />
        </p>
      ) : (
        <Known line={readRow(all, row)} all={all} fleet={fleet} />
      )}
    </>
  );
}
