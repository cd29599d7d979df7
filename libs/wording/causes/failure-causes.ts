function printRestarts(restarts: number): string {
  return restarts === 0 ? "" : restarts === 1 ? ", 1 restart" : `, ${restarts} restarts`;
}

function addMessage(message: string | undefined): string {
  return message === undefined ? "" : `: ${message}`;
}

interface Crashed {
  readonly container: string;
  readonly exitCode: number;
  readonly restarts: number;
  readonly reason?: string;
  readonly message?: string;
}

/** What a kubelet says of every end says nothing more than its code. */
const plainEnds: ReadonlySet<string> = new Set(["Error", "Completed"]);

/** Why a move failed, as its pods say it. Containers and texts in them are names and words of others. */
const causes = {
  ImagePull: ({ container, image, reason }: Readonly<Record<"container" | "image" | "reason", string>>) =>
    `${container} cannot pull ${image} (${reason})`,
  Crash: ({ container, exitCode, restarts, reason, message }: Crashed) => {
    const why = reason === undefined || plainEnds.has(reason) ? "" : ` (${reason})`;
    return `${container} exited ${exitCode}${why}${printRestarts(restarts)}${addMessage(message)}`;
  },
  NotStarted: (cause: { readonly container: string; readonly reason: string; readonly message?: string }) =>
    `${cause.container} did not start (${cause.reason})${addMessage(cause.message)}`,
  Unschedulable: ({ pods, message }: { readonly pods: number; readonly message: string }) =>
    `${pods} ${pods === 1 ? "pod" : "pods"} unschedulable: ${message}`,
  PodFailed: ({ reason, message }: { readonly reason: string; readonly message?: string }) =>
    `a pod failed (${reason})${addMessage(message)}`,
  CreateRefused: ({ message }: { readonly message: string }) => message,
  InitRunning: ({ container }: { readonly container: string }) => `init container ${container} has not ended`,
  ConfigRefused: ({ container, reason, message }: Readonly<Record<"container" | "reason" | "message", string>>) =>
    `${container} refuses its ${reason}: ${message}`,
  NotReady: ({ container }: { readonly container: string }) => `${container} is not ready`,
  PodNotReady: ({ message }: { readonly message: string }) => message,
  Degraded: ({ message }: { readonly message: string }) => message,
  VmNotUpgraded: ({ vm, reason, message }: Readonly<Record<"vm" | "reason" | "message", string>>) =>
    `VM ${vm} (${reason}): ${message}`,
  RestartRefused: ({ message }: { readonly message: string }) => `the API server refused to change it: ${message}`,
};

type Causes = typeof causes;

export type FailureCause = {
  readonly [K in keyof Causes]: { readonly code: K } & Parameters<Causes[K]>[0];
}[keyof Causes] & {
  /** `Kind/name` of the workload, where the failure is recorded on its namespace. */
  readonly workload?: string;
  /** The proxy of the same pod, where it runs and is not ready. */
  readonly unready?: string;
};

/** What follows the reason of a failure; empty without a cause. */
export function printCause(cause: FailureCause | undefined): string {
  if (cause === undefined) return "";
  const print = causes[cause.code] as (cause: FailureCause) => string;
  const { unready } = cause;
  return `: ${unready === undefined ? "" : `${unready} is not ready; `}${print(cause)}`;
}
