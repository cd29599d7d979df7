import type { CampaignStatus } from "#libs/plan";

import { type MoveOutlook, readShare } from "../../model/move-outlook.ts";
import type { NamespaceLine } from "../../model/namespace-view.ts";
import { linkRun } from "../../model/places.ts";
import { Mark, type MarkKind } from "../../parts/mark.tsx";
import { Countdown, Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";

type Stage = CampaignStatus["stages"][number];

const marks: Readonly<Record<Stage["state"], MarkKind>> = {
  Pending: "pending",
  Next: "pending",
  Proposed: "waiting",
  Running: "moving",
  Baking: "waiting",
  Completed: "done",
  Held: "held",
  Failed: "failed",
  RolledBack: "skipped",
};

function Time({ stage: { startedAt, endedAt, notBefore, reached } }: { readonly stage: Stage }) {
  if (endedAt !== undefined)
    return (
      <>
        ended <Moment at={endedAt} />
      </>
    );
  if (startedAt !== undefined)
    return (
      <>
        began <Moment at={startedAt} />
      </>
    );
  if (notBefore === undefined) return <span class="quiet">{reached ? "reached" : "to come"}</span>;
  return (
    <>
      not before <Countdown until={notBefore} />
    </>
  );
}

interface RowProps {
  readonly stage: Stage;
  readonly bucket: string;
  /** `moves` and `moved`: this stage and no other gives the namespace the revision. */
  readonly part: "" | "moves" | "moved";
}

function Row({ stage, bucket, part }: RowProps) {
  return (
    <tr class={part === "" ? "" : `own own-${part}`}>
      <th scope="row">
        <bdi>{stage.name}</bdi>
        {part === "" ? null : <span class="here">{part} it</span>}
      </th>
      <td class="number">
        {readShare(stage, bucket)} %<span class="narrow"> of its bucket</span>
      </td>
      <td>
        <Mark kind={marks[stage.state]} />
        {stage.state}
      </td>
      <td>
        <Time stage={stage} />
      </td>
      <td>{stage.run === undefined ? null : <a href={linkRun(stage.run)}>run {stage.run}</a>}</td>
    </tr>
  );
}

/** The bucket from 0 to 100 %: what is requested now, the stages' shares, and the namespace. The table says the same. */
function Strip({
  shares,
  requested,
  position,
}: {
  readonly shares: readonly number[];
  readonly requested: number;
  readonly position: number;
}) {
  return (
    <div class="strip" aria-hidden="true">
      <div class="strip-bar">
        <span class="strip-done" style={{ width: `${requested}%` }} />
        {shares.map((share) => (
          <span key={share} class="strip-stage" style={{ left: `${share}%` }} />
        ))}
        <span class="strip-place" style={{ left: `${position}%` }} />
      </div>
      <div class="strip-words">
        <span class={position > 50 ? "strip-left" : ""} style={{ left: `${position}%` }}>
          its place: {position} %
        </span>
      </div>
    </div>
  );
}

interface RampProps {
  readonly line: NamespaceLine;
  readonly outlook: MoveOutlook;
  /** Percent of its bucket that main gives the revision that grows. */
  readonly requested: number;
}

/** Where the namespace is on the way of its bucket, and the stages of that way. */
export function Ramp({ line, outlook: { kind, campaign, stage: own }, requested }: RampProps) {
  const { bucket, to, movesAt } = line;
  const stages = campaign?.stages.filter(({ set }) => Object.hasOwn(set, bucket)) ?? [];
  if (campaign === undefined || stages.length === 0 || movesAt === undefined) return null;
  const part = kind === "moved" ? "moved" : "moves";
  const shares = [...new Set(stages.map((stage) => Math.min(100, readShare(stage, bucket))))];
  return (
    <Section id="ramp" title="Its place" note={`${requested} % of its bucket are requested on ${to ?? ""} now`}>
      <Strip shares={shares} requested={Math.min(100, requested)} position={Math.min(100, movesAt)} />
      <div class="scroll" role="region" tabIndex={0} aria-label="Stages of its bucket">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">stage</th>
              <th scope="col" class="number">
                share
              </th>
              <th scope="col">state</th>
              <th scope="col">when</th>
              <th scope="col">run</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((stage) => (
              <Row key={stage.name} stage={stage} bucket={bucket} part={stage === own ? part : ""} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
