import type { ArgoFacts, Workload } from "#libs/fleet";
import { cleanText } from "#libs/runtime";

import type { ApiObject, ArgoCanary } from "../../api-types.ts";

type Spec = NonNullable<ApiObject["spec"]>;
type Status = NonNullable<ApiObject["status"]>;

/**
 * The generation that its controller has seen: a text, which up to Argo Rollouts 0.9 was a hash and said nothing. Then, and where it
 * is ahead as such a hash may be, the newest counts as seen.
 */
export function readObserved({ metadata = {}, status = {} }: ApiObject): number {
  const { generation = 0 } = metadata;
  const { observedGeneration: said } = status;
  if (said === undefined || said === "") return 0;
  const seen = typeof said === "number" || /^\d+$/u.test(said) ? Number(said) : generation;
  return Math.min(seen, generation);
}

/** Its newest template is the stable one: it was rolled out completely, by its owner's strategy. */
export function isPromoted({ stableRS = "", currentPodHash }: Status): boolean {
  return stableRS !== "" && stableRS === currentPodHash;
}

function readSteps({ strategy }: Spec, status: Status): ArgoFacts["steps"] {
  const of = strategy?.canary?.steps?.length ?? 0;
  return of === 0 ? undefined : { done: Math.min(of, status.currentStepIndex ?? 0), of };
}

function stopsForPerson({ strategy }: Spec): boolean {
  const { canary, blueGreen } = strategy ?? {};
  const isPaused = canary?.steps?.some(({ pause }) => pause !== undefined && pause.duration === undefined) === true;
  return isPaused || blueGreen?.autoPromotionEnabled === false;
}

function findStep({ steps = [] }: ArgoCanary, { currentStepIndex = 0 }: Status) {
  return steps[currentStepIndex];
}

/** A pause that a person ends: Argo's own has no duration, and an inconclusive analysis leaves the decision to people. */
function isForPerson({ strategy }: Spec, status: Status, reason: string | undefined): boolean {
  if (reason === "InconclusiveAnalysisRun") return true;
  const { canary, blueGreen } = strategy ?? {};
  if (canary !== undefined) return findStep(canary, status)?.pause?.duration === undefined;
  return blueGreen?.autoPromotionEnabled === false;
}

/** Analyses, experiments and plugins take the time that they take. */
function isInOwnStep({ strategy }: Spec, status: Status): boolean {
  const { canary } = strategy ?? {};
  if (canary !== undefined) {
    const step = findStep(canary, status);
    return step !== undefined && [step.analysis, step.experiment, step.plugin].some((each) => each !== undefined);
  }
  const { prePromotionAnalysisRunStatus: before, postPromotionAnalysisRunStatus: after } = status.blueGreen ?? {};
  return [before, after].some((run) => run?.status === "Running" || run?.status === "Pending");
}

/** All of its pods are of the newest template and available, but for old ones that get no traffic and are kept for a while. */
function keepsOldPods({ replicas = 1 }: Spec, status: Status): boolean {
  const { updatedReplicas = 0, availableReplicas = 0, replicas: total = 0 } = status;
  const isThrough = isPromoted(status) && updatedReplicas >= replicas && availableReplicas >= replicas;
  return isThrough && total > updatedReplicas;
}

function readHold(spec: Spec, status: Status): ArgoFacts["holds"] {
  if (status.abort === true) return undefined;
  const [paused] = status.pauseConditions ?? [];
  if (paused !== undefined) return isForPerson(spec, status, paused.reason) ? "promotion" : "strategy";
  if (keepsOldPods(spec, status)) return "strategy";
  return !isPromoted(status) && isInOwnStep(spec, status) ? "strategy" : undefined;
}

function readDegraded({ abort, conditions = [], message }: Status): string | undefined {
  const isInvalid = conditions.some(({ type, status }) => type === "InvalidSpec" && status === "True");
  if (abort !== true && !isInvalid) return undefined;
  const said = typeof message === "string" ? cleanText(message) : "";
  return said === "" ? (isInvalid ? "InvalidSpec" : "RolloutAborted") : said;
}

function readTemplateOf({ workloadRef }: Spec): string | undefined {
  return workloadRef === undefined ? undefined : `${workloadRef.kind ?? "?"}/${workloadRef.name ?? "?"}`;
}

/** What only an Argo Rollout says. */
export function readArgo({ spec = {}, status = {} }: ApiObject): Pick<Workload, "argo"> {
  const templateOf = readTemplateOf(spec);
  const steps = readSteps(spec, status);
  const holds = readHold(spec, status);
  const degraded = readDegraded(status);
  return {
    argo: {
      ...(templateOf === undefined ? {} : { templateOf }),
      ...(steps === undefined ? {} : { steps }),
      ...(stopsForPerson(spec) ? { needsPromotion: true as const } : {}),
      ...(holds === undefined ? {} : { holds }),
      ...(degraded === undefined ? {} : { degraded }),
    },
  };
}
