import type { FleetStatus, NamespaceTable } from "#libs/plan";

import { status } from "../../live/connection.ts";
import { table } from "../../live/namespaces.ts";
import { listConcerning } from "../../model/concerns.ts";
import { judgeMove } from "../../model/move-outlook.ts";
import { type NamespaceLine, readRow } from "../../model/namespace-view.ts";
import { Command } from "../../parts/command.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Section } from "../../parts/section.tsx";
import { describeState } from "../../parts/states.ts";
import { Title } from "../../parts/title.tsx";
import { Waits } from "../../parts/waits.tsx";
import { Commands } from "./commands.tsx";
import { Happened } from "./happened.tsx";
import { Holds } from "./holds.tsx";
import { Ramp } from "./ramp.tsx";
import { Sentence, Times } from "./when.tsx";
import { Vms } from "./vms.tsx";
import { Why } from "./why.tsx";

/** What it runs now, and where it goes from there. */
function Way({ line: { actual, requested, to } }: { readonly line: NamespaceLine }) {
  const runs = actual ?? "several revisions";
  const target = runs === requested ? to : requested;
  return (
    <p class="way">
      runs <b class={runs === to ? "new" : ""}>{runs}</b>
      {target === undefined || target === runs ? null : (
        <>
          {" → "}
          <span class="new">{target}</span>
        </>
      )}
    </p>
  );
}

interface KnownProps {
  readonly line: NamespaceLine;
  readonly all: NamespaceTable;
  readonly fleet: FleetStatus;
}

/** Moves of which it is worth saying that they wait for nothing. */
const canWait: ReadonlySet<string> = new Set(["now", "waiting", "stage"]);

function Known({ line, all, fleet }: KnownProps) {
  const { word, mark } = describeState(line.state);
  const outlook = judgeMove(line, fleet);
  const { waits, stops } = listConcerning(fleet, line, outlook);
  const isHeld = stops.length > 0;
  const shares = all.buckets.find(({ bucket }) => bucket === line.bucket)?.shares ?? [];
  const requested = shares.find(({ revision }) => revision === line.to)?.requested ?? 0;
  return (
    <>
      <Section id="when" title="When it moves">
        <div class="owner">
          <div class="owner-head">
            <p class={`owner-state owner-${mark}`}>
              <Mark kind={mark} /> {word}
            </p>
            <Way line={line} />
          </div>
          <p class="owner-sentence">
            <Sentence line={line} outlook={outlook} />
          </p>
          <Times line={line} outlook={outlook} isHeld={isHeld} />
        </div>
      </Section>
      {waits.length === 0 && (isHeld || !canWait.has(outlook.kind)) ? null : (
        <Waits status={{ ...fleet, waiting: waits }} />
      )}
      <Holds stops={stops} />
      <Vms fleet={fleet} name={line.name} />
      <Happened line={line} outlook={outlook} fleet={fleet} />
      <Ramp line={line} outlook={outlook} requested={requested} />
      <Why line={line} all={all} />
      <Commands line={line} outlook={outlook} />
    </>
  );
}

/** A namespace for its owner: when it moves, what holds it up, what happened, what it runs and why, and how to opt out. */
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
