import type { ClosedCause } from "#libs/campaign";

import { explainClosed } from "../calendar.ts";
import type { CasesOf } from "../cases.ts";
import { type Text, writeText } from "../text.ts";
import { type TextLine, writeLine } from "../text-line.ts";
import { nameRuns } from "../transitions/run-end.ts";

/** The kind of an event, for programs. */
type ComingKind =
  | "BatchesEnd"
  | "DeploysEnd"
  | "BatchesBegin"
  | "BakeEnds"
  | "PullRequestOpens"
  | "PullRequestMerges"
  | "WindowOpens"
  | "WindowCloses"
  | "FreezeBegins"
  | "FreezeEnds"
  | "ExclusionEnds"
  | "Nothing";

/** An event that comes by itself. */
export interface ComingEvent {
  readonly event: ComingKind;
  /** ISO; not repeated in `text`. */
  readonly at?: string;
  /** `at` is estimated from the pace so far. */
  readonly isEstimate?: true;
  readonly text: Text;
  readonly command?: string;
  /** The stage of the pull request. */
  readonly stage?: string;
  /** In the fleet's answer: the campaign of the event. */
  readonly campaign?: string;
}

/** How a pull request gets merged: automatically, or by a person. */
export type MergeWay =
  | { readonly kind: "itself"; readonly noticeSeconds: number }
  | { readonly kind: "person"; readonly required: number; readonly from: readonly string[] };

/** Seconds as people say them. */
function printSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

function printMerge(way: MergeWay): string {
  if (way.kind === "itself") {
    const { noticeSeconds } = way;
    return noticeSeconds === 0
      ? "it merges itself once its checks are green"
      : `it merges itself ${printSeconds(noticeSeconds)} after its checks are green`;
  }
  if (way.required === 0) return "a person merges it";
  const whose = way.from.length === 0 ? "" : ` of ${way.from.join(" or ")}`;
  return `a person merges it, with ${way.required} approval${way.required === 1 ? "" : "s"}${whose}`;
}

interface Worded {
  readonly event: ComingKind;
  readonly text: string;
  readonly command?: string;
}

interface Left {
  readonly left: number;
}

/** What a run without workloads to move waits for. */
const waitEnds = {
  bake: "the bake",
  gate: "the gates pass",
  window: "the window opens",
  freeze: "the freeze",
  seen: "the cluster is seen again",
  healthy: "its workloads are healthy again",
} as const;

export type WaitEnd = keyof typeof waitEnds;

function countLeft({ left }: Left): string {
  return left === 1 ? "1 workload" : `${left} workloads`;
}

function nameGroups(groups: number): string {
  if (groups === 0) return "";
  return groups === 1 ? "; one of them a group of VMs" : `; ${groups} of them groups of VMs`;
}

function nameOnlyGroups(groups: number): string {
  return `${groups === 1 ? "a group" : `${groups} groups`} of VMs left, one VM after the other`;
}

/** Events. Where there is a time the sentence follows it: `at TIME the bake ends`. */
const wordings = {
  StagesThrough: ({ campaign }: { readonly campaign: string }): Worded => ({
    event: "Nothing",
    text: "nothing: every stage is complete",
    command: `meshroll finish ${campaign}`,
  }),
  /** `awaitsData`: a gate has none yet, which ends by itself once its source reports. */
  PersonNeeded: ({ awaitsData }: { readonly awaitsData?: true }): Worded => ({
    event: "Nothing",
    text:
      awaitsData === true
        ? "continues automatically once the gate has data; without data nothing until a person acts"
        : "nothing until a person acts",
  }),
  MergeNeeded: (): Worded => ({ event: "Nothing", text: "nothing until a change of rollouts.yml is merged" }),
  ReadableMainNeeded: (): Worded => ({ event: "Nothing", text: "nothing until a commit of main parses" }),
  /** `until`: the ends of the waits that are known; none: they are not. */
  WaitsEnd: ({ until = [] }: { readonly until?: readonly WaitEnd[] }): Worded => ({
    event: "Nothing",
    text: `continues automatically${until.length === 0 ? "" : ` after ${until.map((each) => waitEnds[each]).join(" and ")}`}`,
  }),
  NothingLeft: (): Worded => ({ event: "Nothing", text: "nothing here: no open run has anything left to move in it" }),
  FleetBatches: (left: Left): Worded => ({
    event: "BatchesEnd",
    text: `${countLeft(left)} left until the fleet matches rollouts.yml`,
  }),
  /** `of`: the runs that are rolled back. */
  RollbackBatches: ({ left, of }: Left & { readonly of: readonly string[] }): Worded => ({
    event: "BatchesEnd",
    text:
      `${countLeft({ left })} left to roll back${of.length === 0 ? "" : ` (${nameRuns(of)})`}, in batches; ` +
      "ignores windows and freezes; the bucket then stays on hold",
  }),
  /** Strategy `OnDeploy`: until the deadline. */
  Deploys: (left: Left): Worded => ({
    event: "DeploysEnd",
    text: `${countLeft(left)} left, moved by deploys of their owners`,
  }),
  DeadlineComes: (): Worded => ({
    event: "BatchesBegin",
    text: "batches begin to restart the remaining workloads",
  }),
  /** `groups`: so many of those left are groups of VMs that are on the move. */
  Batches: ({ left, groups = 0 }: Left & { readonly groups?: number }): Worded => ({
    event: "BatchesEnd",
    text: groups < left ? `${countLeft({ left })} left, in batches${nameGroups(groups)}` : nameOnlyGroups(groups),
  }),
  /** `opens`: it opens within a year, at the event's time. */
  CalendarOpens: ({
    left,
    by,
    opens,
  }: Left & { readonly by: ClosedCause["kind"]; readonly opens: boolean }): Worded => ({
    event: by === "freeze" ? "FreezeEnds" : "WindowOpens",
    text: opens
      ? `${countLeft({ left })} may move again`
      : `${countLeft({ left })} cannot move: no window opens within a year`,
  }),
  CalendarCloses: (): Worded => ({
    event: "WindowCloses",
    text: "the window closes: workloads that have not moved by then wait",
  }),
  /** Closed now, and open from the event's time. */
  MovesAgain: ({ by }: { readonly by: ClosedCause["kind"] }): Worded => ({
    event: by === "freeze" ? "FreezeEnds" : "WindowOpens",
    text: by === "freeze" ? "the freeze ends: workloads may move again" : "the window opens: workloads may move again",
  }),
  BakeEnds: (): Worded => ({ event: "BakeEnds", text: "the bake ends" }),
  HealthNeeded: ({ seconds }: { readonly seconds: number }): Worded => ({
    event: "BakeEnds",
    text: `then the bake: ${printSeconds(seconds)} of healthy time`,
  }),
  StageStarts: ({ stage, cause }: { readonly stage: string; readonly cause: ClosedCause }): Worded => ({
    event: "WindowOpens",
    text: `${stage} can start; until then it is ${explainClosed(cause)}`,
  }),
  PullRequestStays: (coming: {
    readonly stage: string;
    readonly number: number;
    readonly merge: MergeWay;
  }): Worded => ({
    event: coming.merge.kind === "itself" ? "PullRequestMerges" : "Nothing",
    text: `#${coming.number} for ${coming.stage} stays open: ${printMerge(coming.merge)}`,
  }),
  /** `isNext`: at no known time. */
  PullRequestOpens: (coming: {
    readonly stage: string;
    readonly merge: MergeWay;
    readonly isNext: boolean;
  }): Worded => {
    const text = `the pull request for ${coming.stage} opens: ${printMerge(coming.merge)}`;
    return { event: "PullRequestOpens", text: coming.isNext ? `then ${text}` : text };
  },
  StageHeldBack: (coming: { readonly stage: string; readonly who: string; readonly scope: string }): Worded => ({
    event: "Nothing",
    text: `then nothing: ${coming.stage} is not proposed while the stop of ${coming.who} on ${coming.scope} is active`,
  }),
  CampaignThrough: ({ campaign }: { readonly campaign: string }): Worded => ({
    event: "Nothing",
    text: `then campaign ${campaign} is complete`,
  }),
  FreezeBegins: ({ reason }: { readonly reason: string }): Worded => ({
    event: "FreezeBegins",
    text: `freeze "${reason}" begins`,
  }),
  ExclusionEnds: ({ pattern }: { readonly pattern: string }): Worded => ({
    event: "ExclusionEnds",
    text: `the exclusion of ${pattern} ends`,
  }),
};

/** An event as a value. */
export type Coming = CasesOf<typeof wordings> & Pick<ComingEvent, "at" | "isEstimate">;

export function renderComing(coming: Coming): ComingEvent {
  const word = wordings[coming.code] as (coming: Coming) => Worded;
  const { event, text, command } = word(coming);
  const { at, isEstimate } = coming;
  return {
    event,
    ...(at === undefined ? {} : { at }),
    ...(isEstimate === undefined ? {} : { isEstimate }),
    text: writeText(text),
    ...(command === undefined ? {} : { command }),
    ...("stage" in coming ? { stage: coming.stage } : {}),
  };
}

/** An event with its time. */
export function lineComing({ at, isEstimate, text, command, campaign }: ComingEvent): TextLine {
  const sentence = { text };
  const name = campaign === undefined ? [] : writeLine(`${campaign}: `).parts;
  const typed = command === undefined ? {} : { command };
  if (at === undefined) return { parts: [...name, sentence], ...typed };
  return isEstimate === true
    ? { parts: [...name, sentence, ...writeLine(", at this pace until about ", { time: at }).parts], ...typed }
    : { parts: [...name, ...writeLine("at ", { time: at }, " ").parts, sentence], ...typed };
}
