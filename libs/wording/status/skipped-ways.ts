import type { WorkloadReason } from "../workloads.ts";

/** A workload that a run skipped without failing it. */
export interface SkippedSubject {
  /** Why it is skipped now; absent where nothing speaks against moving it any more. */
  readonly code?: WorkloadReason["code"];
  readonly run: string;
  /** `cluster:namespace/Kind/name`. */
  readonly name: string;
  readonly namespace: string;
  /** Its run is open: what is due in it moves without a command. */
  readonly isOpen: boolean;
}

/** Tried and put back, or taken back by another manager: once the cause is fixed, another try brings it. */
const retriable: readonly string[] = ["UnhealthyBefore", "Overwritten"];

/**
 * What a person types about it: a retry where another try is what it needs, `converge` where nothing speaks against it any more;
 * else what says whose word keeps it, for that comes first.
 */
export function nameSkippedWay({ code, run, name, namespace, isOpen }: SkippedSubject): string {
  if (code !== undefined && retriable.includes(code)) return `meshroll retry run/${run} ${name} --reason "…"`;
  if (code === undefined && !isOpen) return `meshroll converge namespace/${namespace} --reason "…"`;
  return `meshroll get workloads ${namespace} -o wide`;
}

const restartable: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"];

/** What its owner types where only the label of its namespace was changed: a restart, or a look where nothing restarts it. */
export function nameRestartWay({
  namespace,
  kind,
  name,
}: Readonly<Record<"namespace" | "kind" | "name", string>>): string {
  const word = kind.toLowerCase();
  if (name === "…") return `kubectl -n ${namespace} get ${word}`;
  if (restartable.includes(kind)) return `kubectl -n ${namespace} rollout restart ${word}/${name}`;
  return kind === "Pod" ? `kubectl -n ${namespace} delete pod ${name}` : `kubectl -n ${namespace} get ${word} ${name}`;
}
