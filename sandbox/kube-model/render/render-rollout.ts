import { renderTime } from "../objects/managed-fields.ts";
import type { ArgoState, CanaryStep, ModelWorkload, TemplateSet } from "../objects/objects.ts";

function renderStep({ weight, pause }: CanaryStep): object {
  if (weight !== undefined) return { setWeight: weight };
  return { pause: pause === "promotion" ? {} : { duration: `${Math.ceil(pause / 1000)}s` } };
}

/** The strategy of an Argo Rollout, and where its template is. */
export function renderArgoSpec({ replicas, paused, settings, argo }: ModelWorkload): object {
  const { maxSurge, maxUnavailable, canary } = settings;
  const amounts = {
    ...(maxSurge === undefined ? {} : { maxSurge }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  };
  return {
    replicas,
    ...(paused ? { paused: true } : {}),
    ...(argo?.templateOf === undefined
      ? {}
      : { workloadRef: { apiVersion: "apps/v1", kind: "Deployment", name: argo.templateOf } }),
    strategy: { canary: { ...amounts, ...(canary === undefined ? {} : { steps: canary.map(renderStep) }) } },
  };
}

function namePhase({ aborted, pausedAt, stable }: ArgoState, current: TemplateSet | undefined): string {
  if (aborted) return "Degraded";
  if (pausedAt !== undefined) return "Paused";
  return stable !== undefined && stable === current ? "Healthy" : "Progressing";
}

/** What a person, or an analysis, has to end. */
function renderEnd({ aborted, pausedAt }: ArgoState, statusAt: number): object {
  const message = "RolloutAborted: Rollout aborted update to revision 2";
  if (aborted) return { abort: true, abortedAt: renderTime(statusAt), message };
  if (pausedAt === undefined) return {};
  const pauseConditions = [{ reason: "CanaryPauseStep", startTime: renderTime(pausedAt) }];
  return { controllerPause: true, pauseConditions, message: "CanaryPauseStep" };
}

/** What it has besides the counts. The generation that was seen is a text. */
export function renderArgoStatus({ status, argo, current, settings, statusAt }: ModelWorkload): object {
  if (argo === undefined) return {};
  return {
    observedGeneration: String(status.observedGeneration),
    currentPodHash: current?.hash,
    stableRS: argo.stable?.hash,
    ...(settings.canary === undefined ? {} : { currentStepIndex: argo.step }),
    ...renderEnd(argo, statusAt),
    phase: namePhase(argo, current),
  };
}
