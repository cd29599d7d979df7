import { type Campaign, findNextStage, findStart, planRamp, type Start } from "#libs/campaign";
import { coversOneOf } from "#libs/input";
import { applyShares, type Spec, type StopRecord } from "#libs/plan";
import { explainClosed, nameResume, nameResumeVerb } from "#libs/wording";

/** When a campaign brings a namespace to its target, as far as files and calendars show. Times are ISO. */
export interface ComingMove {
  readonly campaign: string;
  readonly to: string;
  /** The stage whose merge sends it there; absent = none does. */
  readonly stage?: { readonly name: string; readonly index: number; readonly of: number };
  /**
   * The earliest time, by windows, freezes, and the bakes of earlier stages; people and batches take longer. Absent = no
   * window.
   */
  readonly earliest?: string;
  /** How the stage's pull request is merged. */
  readonly merge?: { readonly itself: boolean; readonly required: number; readonly from: readonly string[] };
  /** Holds and pauses on it: while one is in force it does not move, whatever the calendar says. */
  readonly stops: readonly BindingStop[];
  /** What closes its stage now. */
  readonly closed?: string;
  /** How long it is excluded; `until` absent = for good. */
  readonly excluded?: { readonly reason: string; readonly until?: string };
}

/** A stop on a namespace; `command` ends it. */
export type BindingStop = Pick<StopRecord, "id" | "scope" | "strength" | "who" | "why"> & {
  readonly kind: "hold" | "pause";
  readonly command: string;
};

/** Stops on everything, on its campaign, its bucket or itself. A cluster's stop concerns only its workloads there. */
function listBinding(
  stops: readonly StopRecord[],
  spec: Spec,
  campaign: Campaign,
  namespace: string,
): readonly BindingStop[] {
  const { bucket } = spec.resolver.resolve(namespace);
  const names = { campaign: [campaign.name], bucket: [bucket.pattern], namespace: [namespace] };
  return stops
    .filter(({ scope, foundIn }) => foundIn === undefined && coversOneOf(scope, names))
    .map((stop) => {
      const { id, scope, strength, who, why } = stop;
      const kind = nameResumeVerb(stop) === "unhold" ? "hold" : "pause";
      return { id, scope, strength, who, why, kind, command: nameResume(stop) };
    });
}

function findExcluded({ exclude }: Campaign, namespace: string, now: number) {
  return exclude.find(({ matches, until }) => (until === undefined || now < until) && matches(namespace));
}

/** The stage that changes the answer, and the least time until it may begin. */
function walkStages(
  spec: Spec,
  campaign: Campaign,
  namespace: string,
  now: number,
): Pick<ComingMove, "stage" | "merge" | "earliest" | "closed"> {
  const first = findNextStage(campaign, spec.rollouts);
  const from = first === undefined ? campaign.stages.length : campaign.stages.indexOf(first);
  let at: number | undefined = now;
  let before = spec;
  for (const [offset, stage] of campaign.stages.slice(from).entries()) {
    const ramp = planRamp(campaign, stage, before.rollouts);
    const after = ramp.ok ? applyShares(before, ramp.changes) : before;
    const start: Start = at === undefined ? {} : findStart([stage.settings, spec.settings], at);
    if (after.resolver.resolve(namespace).revision === campaign.target) {
      const { approvals } = stage.settings;
      return {
        merge: {
          itself: stage.settings.autoMerge !== undefined,
          required: approvals.required,
          from: approvals.from,
        },
        stage: { name: stage.name, index: from + offset + 1, of: campaign.stages.length },
        ...(start.at === undefined ? {} : { earliest: new Date(start.at).toISOString() }),
        ...(start.cause === undefined ? {} : { closed: explainClosed(start.cause) }),
      };
    }
    at = start.at === undefined ? undefined : start.at + stage.settings.bake;
    before = after;
  }
  return {};
}

function findMove(
  spec: Spec,
  campaign: Campaign,
  namespace: string,
  now: number,
  stops: readonly StopRecord[],
): ComingMove {
  const excluded = findExcluded(campaign, namespace, now);
  const walked = walkStages(spec, campaign, namespace, Math.max(now, excluded?.until ?? now));
  const until = excluded?.until === undefined ? {} : { until: new Date(excluded.until).toISOString() };
  return {
    campaign: campaign.name,
    to: campaign.target,
    ...walked,
    stops: listBinding(stops, spec, campaign, namespace),
    ...(excluded === undefined ? {} : { excluded: { reason: excluded.reason, ...until } }),
  };
}

/**
 * What each unfinished campaign plans for a namespace. Campaigns whose target it has, or that do not replace what it has, are
 * left out.
 */
export function findMoves(
  spec: Spec,
  namespace: string,
  now: number,
  stops: readonly StopRecord[] = [],
): readonly ComingMove[] {
  const { revision } = spec.resolver.resolve(namespace);
  return [...spec.campaigns.values()]
    .filter(({ target, replaces }) => target !== revision && replaces.includes(revision))
    .map((campaign) => findMove(spec, campaign, namespace, now, stops));
}
