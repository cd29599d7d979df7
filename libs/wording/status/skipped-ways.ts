import type { WorkloadReason } from "../workloads.ts";

/** A workload that a run skipped without a failure. */
export interface SkippedSubject {
  /** Why it is skipped now; absent where nothing prevents its move any more. */
  readonly code?: WorkloadReason["code"];
  readonly run: string;
  /** `cluster:namespace/Kind/name`. */
  readonly name: string;
  readonly namespace: string;
  /** Its run is open, so that pending workloads move without a command. */
  readonly isOpen: boolean;
}

/**
 * The command for it: a retry where its move ended without success in its run, `converge` where that run is over and nothing
 * prevents the move; else the one that shows who keeps it.
 */
export function nameSkippedWay({ code, run, name, namespace, isOpen }: SkippedSubject): string {
  const isRetried = code === "UnhealthyBefore" || (code === "Overwritten" && isOpen);
  if (isRetried) return `meshroll retry run/${run} ${name} --reason "…"`;
  if (code === "Overwritten") return `meshroll converge ${name} --reason "…"`;
  if (code === undefined && !isOpen) return `meshroll converge namespace/${namespace} --reason "…"`;
  return `meshroll get workloads ${namespace} -o wide`;
}

const restartable: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"];

/** The owner's command where only the namespace's label was changed: a restart, or one that shows what cannot be restarted. */
export function nameRestartWay({
  namespace,
  kind,
  name,
}: Readonly<Record<"namespace" | "kind" | "name", string>>): string {
  const word = kind.toLowerCase();
  if (name === "…") return `kubectl -n ${namespace} get ${word}`;
  if (restartable.includes(kind)) return `kubectl -n ${namespace} rollout restart ${word}/${name}`;
  if (kind === "Rollout") return `kubectl argo rollouts -n ${namespace} restart ${name}`;
  return kind === "Pod" ? `kubectl -n ${namespace} delete pod ${name}` : `kubectl -n ${namespace} get ${word} ${name}`;
}
