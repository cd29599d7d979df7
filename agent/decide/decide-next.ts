import type { Artifact } from "#libs/artifact";
import type { AgentReason, SwitchFailure } from "#libs/wording";

import type { Facts, Rules } from "./facts.ts";
import { isOlder } from "./is-older.ts";
import type { Named, Trial } from "./state.ts";

/** The agent's next step, after which it gathers again. */
export type Step =
  | { readonly do: "wait"; readonly because: AgentReason }
  /** Fetch and check all of its files into a slot. */
  | { readonly do: "stage"; readonly artifact: Artifact }
  /** Record that it is tried. */
  | { readonly do: "begin"; readonly to: Named }
  /** Remove old rules, switch the link, start, add new rules: to the trial's slot. */
  | { readonly do: "switch"; readonly trial: Trial }
  | { readonly do: "keep"; readonly trial: Trial }
  | { readonly do: "turnBack"; readonly because: SwitchFailure }
  | { readonly do: "giveUp"; readonly because: SwitchFailure }
  /** The kept artifact's proxy does not run. */
  | { readonly do: "restart"; readonly kept: Named };

/** Starts of the artifact that was gone back to, before it is given up: there is no other one. */
const mostLaunchesBack = 3;

/** The clock may be set back by this much, as time servers do, ms. */
const clockSlackMs = 3_600_000;

function fail({ state }: Facts, trial: Trial, because: SwitchFailure): Step {
  if (trial.back === null) return { do: state.trial?.from === null ? "giveUp" : "turnBack", because };
  return trial.launches < mostLaunchesBack ? { do: "switch", trial } : { do: "giveUp", because };
}

function explainTrial(trial: Trial): AgentReason {
  const { revision, back } = trial;
  return back === null ? { code: "Settling", revision } : { code: "GoingBack", revision, failure: back };
}

function decideTrial(facts: Facts, trial: Trial, rules: Rules): Step {
  const { current, running, boot, readyForMs, runsForMs } = facts;
  const isStarted = trial.launchedIn === boot;
  if (current !== trial.digest || (!isStarted && running !== trial.digest)) return { do: "switch", trial };
  if (running !== trial.digest) return fail(facts, trial, "ProxyDied");
  if (readyForMs >= rules.settleMs) return { do: "keep", trial };
  if (readyForMs > 0 || runsForMs < rules.readyWithinMs) return { do: "wait", because: explainTrial(trial) };
  // To go back would not help, and the whole fleet would do it at once.
  if (!facts.controlPlaneAnswers)
    return { do: "wait", because: { code: "ControlPlaneSilent", address: "of the new revision" } };
  return fail(facts, trial, "ProxyNotReady");
}

/** The kept proxy ended: shortly after it was kept this counts as its failure; later it is started again. */
function decideDown({ state, keptForMs }: Facts, kept: Named, rules: Rules): Step {
  if (keptForMs < rules.probationMs && state.previous !== null) return { do: "turnBack", because: "ProxyDied" };
  return { do: "restart", kept };
}

/** Why this artifact cannot be installed on this VM; undefined = it can. */
function findObstacle(
  { state, controlPlaneAnswers, now }: Facts,
  artifact: Artifact,
  rules: Rules,
): AgentReason | undefined {
  const { revision, minimumAgent, after = [], discoveryAddress } = artifact.manifest;
  if (now < state.newestTime - clockSlackMs) return { code: "ClockWentBack" };
  const failed = state.failed.find(({ digest }) => digest === artifact.digest);
  if (failed !== undefined) return { code: "Quarantined", revision, failure: failed.failure };
  if (minimumAgent !== undefined && isOlder(rules.version, minimumAgent)) {
    return { code: "AgentTooOld", revision, needs: minimumAgent, has: rules.version };
  }
  const passed = state.succeeded.some((each) => each === revision || after.includes(each));
  if (after.length > 0 && state.succeeded.length > 0 && !passed) return { code: "FloorNotMet", revision, after };
  return controlPlaneAnswers ? undefined : { code: "ControlPlaneSilent", address: discoveryAddress };
}

function decideOffer(facts: Facts, rules: Rules): Step {
  const { state, tag, offer, slots } = facts;
  const wait = (because: AgentReason): Step => ({ do: "wait", because });
  if (tag.kind === "unset") return wait({ code: "TagUnset" });
  if (tag.kind === "unknown") return wait({ code: "TagUnknown", why: tag.why });
  if (offer === undefined) return wait({ code: "Installing", revision: tag.revision });
  if (offer.kind === "unavailable") return wait({ code: "StoreUnavailable", why: offer.why });
  if (offer.kind === "refused") return wait({ code: "ArtifactRefused", refusal: offer.refusal });
  const { artifact } = offer;
  const { digest, manifest } = artifact;
  if (digest === state.kept?.digest) return wait({ code: "UpToDate", revision: manifest.revision });
  const obstacle = findObstacle(facts, artifact, rules);
  if (obstacle !== undefined) return wait(obstacle);
  if (!slots.includes(digest)) return { do: "stage", artifact };
  return { do: "begin", to: { digest, revision: manifest.revision } };
}

/**
 * What to do now, in this order: complete a switch that has begun; run what was kept; then follow the tag to another revision.
 */
export function decideNext(facts: Facts, rules: Rules): Step {
  const { state, running } = facts;
  if (state.trial !== null) return decideTrial(facts, state.trial, rules);
  const next = decideOffer(facts, rules);
  const { kept, stuck } = state;
  if (kept !== null && running !== kept.digest) {
    // If the kept proxy does not run, an offered artifact is installed first, as it may be the fix. Its files may take hours
    // to fetch, so the kept proxy is started once before.
    const isFirst = next.do === "wait" || (next.do === "stage" && facts.restarts === 0);
    return isFirst ? decideDown(facts, kept, rules) : next;
  }
  if (stuck !== null && next.do === "wait") return { do: "wait", because: { code: "NothingRuns", failure: stuck } };
  return next;
}
