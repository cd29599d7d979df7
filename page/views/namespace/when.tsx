import { printText } from "#libs/wording";
import type { ComponentChildren } from "preact";

import { printCount } from "../../model/count.ts";
import type { MoveOutlook } from "../../model/move-outlook.ts";
import type { NamespaceLine } from "../../model/namespace-view.ts";
import { Countdown } from "../../parts/moment.tsx";

interface WhenProps {
  readonly line: NamespaceLine;
  readonly outlook: MoveOutlook;
}

function ByStage({ outlook: { stage, campaign, before = [] } }: Pick<WhenProps, "outlook">) {
  const order = before.length === 0 ? "the next stage" : `after ${printCount(before.length, "stage")} still to come`;
  return (
    <>
      It moves with{" "}
      <b>
        <bdi>{stage?.name}</bdi>
      </b>{" "}
      of <bdi>{campaign?.name}</bdi>, {order}.
    </>
  );
}

function LeftOut({ outlook: { campaign, leftOut } }: Pick<WhenProps, "outlook">) {
  return (
    <>
      <bdi>{campaign?.name}</bdi> leaves it out{" "}
      {leftOut?.until === undefined ? (
        "for good"
      ) : (
        <>
          until it ends <Countdown until={leftOut.until} />
        </>
      )}
      : <bdi>{leftOut?.reason}</bdi>
    </>
  );
}

/** When it moves, in one sentence. */
export function Sentence({ line, outlook }: WhenProps) {
  switch (outlook.kind) {
    case "moved":
      return <>It runs what main requests: nothing is to come.</>;
    case "now":
      return line.state === "Moving" ? (
        <>It is being restarted now.</>
      ) : (
        <>Main requests the move: it goes with the batches under way.</>
      );
    case "failed":
      return <>Its move failed, and is not tried again by itself.</>;
    case "skipped":
      return <>A run skipped it, and leaves it where it is.</>;
    case "waiting":
      return <>Its move waits for its owner: for a deploy, or for what is named below.</>;
    case "stage":
      return <ByStage outlook={outlook} />;
    case "leftOut":
      return <LeftOut outlook={outlook} />;
    case "unplanned":
      return <>No stage of a campaign moves it: a merged change of rollouts.yml does.</>;
  }
}

interface TimeProps {
  readonly name: string;
  readonly at: string | undefined;
  /** What the time means. */
  readonly note: string;
  /** Shown where no time is known: why, or on what it depends. */
  readonly children: ComponentChildren;
}

function Time({ name, at, note, children }: TimeProps) {
  return (
    <div class="time">
      <dt>{name}</dt>
      <dd>
        {at === undefined ? (
          children
        ) : (
          <>
            <Countdown until={at} /> <span class="quiet">{note}</span>
          </>
        )}
      </dd>
    </div>
  );
}

/** What a stage to come depends on: the stages before it, else its own pull request. */
function Dependence({ outlook: { before = [], campaign, stage } }: Pick<WhenProps, "outlook">) {
  const [first] = before;
  if (first !== undefined) {
    return (
      <>
        not known: it depends on{" "}
        {before.map(({ name }, at) => (
          <span key={name}>
            {at === 0 ? "" : ", "}
            <bdi>{name}</bdi>
          </span>
        ))}
        , and on when the pull requests are merged
      </>
    );
  }
  const event = campaign?.next.find((each) => each.stage === stage?.name);
  return <>not known {event === undefined ? null : <span class="quiet">{printText(event.text)}</span>}</>;
}

interface TimesProps extends WhenProps {
  /** A hold or a pause binds it. */
  readonly isHeld: boolean;
}

function StageTimes({ outlook, isHeld }: Omit<TimesProps, "line">) {
  const isNext = (outlook.before ?? []).length === 0;
  return (
    <dl class="times">
      <Time
        name="not before"
        at={outlook.notBefore}
        note={`by windows, freezes and bakes; ${isHeld ? "and not while it is held" : "people and batches take longer"}`}
      >
        {isHeld
          ? "not while it is held"
          : isNext
            ? "at once: no window, freeze or bake delays it"
            : "not known: the stages before it come first"}
      </Time>
      <Time name="expected" at={outlook.expected} note="when its pull request merges itself; batches follow">
        <Dependence outlook={outlook} />
      </Time>
      <Time name="latest" at={outlook.latest} note="">
        no time is set: a stage has no deadline
      </Time>
    </dl>
  );
}

function RunTimes({ line, outlook }: WhenProps) {
  return (
    <dl class="times">
      <Time name="not before" at={outlook.notBefore} note="when the window opens or the freeze ends">
        {line.state === "Moving" ? "it has begun" : "its run is open: only what is named below delays it"}
      </Time>
      <Time name="expected" at={outlook.expected} note="the end of its run, at the pace so far">
        not known: its run has shown no pace yet
      </Time>
      <Time name="latest" at={outlook.latest} note="then batches restart what has not moved">
        no time is set
      </Time>
    </dl>
  );
}

/** Not before, expected and latest; where no time is known, on what it depends. */
export function Times({ line, outlook, isHeld }: TimesProps) {
  if (outlook.kind === "stage") return <StageTimes outlook={outlook} isHeld={isHeld} />;
  return outlook.kind === "now" || outlook.kind === "waiting" ? <RunTimes line={line} outlook={outlook} /> : null;
}
