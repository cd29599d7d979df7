import type { FleetStatus } from "#libs/plan";
import { printText, type Text } from "#libs/wording";

import { pickOwn } from "../../model/concerns.ts";
import type { MoveOutlook } from "../../model/move-outlook.ts";
import type { NamespaceLine } from "../../model/namespace-view.ts";
import { linkRun, splitWorkload } from "../../model/places.ts";
import { Command } from "../../parts/command.tsx";
import { Mark, type MarkKind } from "../../parts/mark.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";

/** What happened to one workload, `cluster:namespace/Kind/name`. */
interface Event {
  readonly workload: string;
  readonly mark: MarkKind;
  readonly word: string;
  readonly message?: Text;
  readonly at?: string;
  readonly run?: string;
  readonly command?: string;
}

function listFailed({ failures }: FleetStatus, name: string): readonly Event[] {
  return pickOwn(name, failures ?? { count: 0, items: [] }).own.map(({ workload, message, at, run }) => ({
    workload,
    mark: "failed",
    word: "failed",
    message,
    ...(at === undefined ? {} : { at }),
    ...(run === undefined ? {} : { run, command: `meshroll retry run/${run} --reason "…"` }),
  }));
}

function listSkipped({ skipped }: FleetStatus, name: string): readonly Event[] {
  return pickOwn(name, skipped ?? { count: 0, items: [] }).own.map(({ workload, message, since, run, command }) => ({
    workload,
    mark: "skipped",
    word: "skipped",
    message,
    run,
    command,
    ...(since === undefined ? {} : { at: since }),
  }));
}

/** Workloads that an owner's deploy overwrote after a run had moved them. */
function listPutBack({ putBack }: FleetStatus, name: string): readonly Event[] {
  const items = putBack?.first.map((workload) => ({ workload })) ?? [];
  return pickOwn(name, { count: items.length, items }).own.map(({ workload }) => ({
    workload,
    mark: "waiting",
    word: "put back by a deploy of its owner",
    command: `meshroll converge namespace/${name} --reason "…"`,
  }));
}

function Row({ event: { workload, mark, word, message, at, run, command } }: { readonly event: Event }) {
  const { cluster, rest } = splitWorkload(workload);
  return (
    <tr>
      <th scope="row">
        <Mark kind={mark} />
        <bdi>{rest}</bdi>
      </th>
      <td>
        <bdi>{cluster}</bdi>
      </td>
      <td>
        {word}
        {message === undefined ? null : <>: {printText(message)}</>}
      </td>
      <td>
        {at === undefined ? null : <Moment at={at} />}
        {run === undefined ? null : (
          <div>
            <a href={linkRun(run)}>run {run}</a>
          </div>
        )}
      </td>
      <td>{command === undefined ? null : <Command text={command} />}</td>
    </tr>
  );
}

function Events({ events }: { readonly events: readonly Event[] }) {
  if (events.length === 0) return null;
  return (
    <div class="scroll" role="region" tabIndex={0} aria-label="What happened to its workloads">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">workload</th>
            <th scope="col">cluster</th>
            <th scope="col">what happened</th>
            <th scope="col">when</th>
            <th scope="col">what to type</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <Row key={`${event.word} ${event.workload}`} event={event} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The status lists the first hundred: this one may be among the others. */
function Unlisted({ line: { name, state }, events }: { line: NamespaceLine; events: readonly Event[] }) {
  if (events.length > 0 || (state !== "Failed" && state !== "Skipped")) return null;
  const kind = state === "Failed" ? "failures" : "skipped";
  return (
    <p>
      What happened is not among the first hundred that are shown here:{" "}
      <Command text={`meshroll get ${kind} -n ${name}`} />
    </p>
  );
}

interface HappenedProps {
  readonly line: NamespaceLine;
  readonly outlook: MoveOutlook;
  readonly fleet: FleetStatus;
}

/** The run that brought it where it is, and what failed, was skipped, or was put back. */
export function Happened({ line, outlook: { stage }, fleet }: HappenedProps) {
  const { name, state } = line;
  const events = [...listFailed(fleet, name), ...listSkipped(fleet, name), ...listPutBack(fleet, name)];
  const isCalm = events.length === 0 && state !== "Failed" && state !== "Skipped";
  const isThere = state === "OnTrack" && stage?.reached === true && stage.run !== undefined;
  return (
    <Section id="happened" title="What happened to it" {...(isCalm ? { note: "nothing went wrong" } : {})}>
      {isThere && stage.run !== undefined ? (
        <p>
          <a href={linkRun(stage.run)}>Run {stage.run}</a> of stage <bdi>{stage.name}</bdi> moved it
          {stage.startedAt === undefined ? null : (
            <>
              ; it began <Moment at={stage.startedAt} />
            </>
          )}
          .
        </p>
      ) : null}
      <Events events={events} />
      <Unlisted line={line} events={events} />
      <p>
        <a href={`/history?subject=${encodeURIComponent(`namespace/${name}`)}`}>What was decided about it</a>
      </p>
    </Section>
  );
}
