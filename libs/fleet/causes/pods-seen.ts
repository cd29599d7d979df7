/** How a container ended, as its kubelet says it. */
export interface Ended {
  readonly exitCode: number;
  /** `OOMKilled`, `Error`, `Completed`, …; absent = it says none. */
  readonly reason?: string;
  /** The runtime's words, where the container could not be started at all; never what the program wrote. */
  readonly message?: string;
}

/** One container of a pod. */
export interface ContainerSeen {
  readonly name: string;
  readonly image: string;
  /** `init`: it has to end before the others start; `sidecar`: an init container that stays. */
  readonly role: "app" | "init" | "sidecar";
  readonly ready: boolean;
  readonly restarts: number;
  readonly state:
    | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
    | { readonly kind: "running" }
    | ({ readonly kind: "ended" } & Ended)
    /** Its kubelet has said nothing of it yet. */
    | { readonly kind: "unknown" };
  /** How it ended the last time, where it was started again. */
  readonly last?: Ended;
}

/** One pod, as its kubelet and the scheduler describe it. */
export interface PodSeen {
  readonly ready: boolean;
  /** The message of the condition Ready, where that is not true. */
  readonly unready?: string;
  /** The scheduler's message, while no node has it. */
  readonly unscheduled?: string;
  /** It ended as a whole: evicted, refused by its node, … */
  readonly failed?: { readonly reason: string; readonly message?: string };
  readonly containers: readonly ContainerSeen[];
  /** What its proxy refuses of its istiod, as far as that was told: `Listener`, …, and the proxy's words. */
  readonly refusal?: { readonly type: string; readonly why: string };
}

/** What is seen of a rollout when it has failed. */
export interface RolloutSeen {
  /** Of the newest template. */
  readonly pods: readonly PodSeen[];
  /** The API server's refusal of a new pod, where the workload's status repeats it (Deployment, Rollout). */
  readonly createRefused?: string;
  /** Of an Argo Rollout that was aborted, or is invalid: Argo's words. */
  readonly degraded?: string;
  /** VMs of a group that keep its move from being complete, the worst first; absent where it has none. */
  readonly vms?: readonly VmSeen[];
}

/** What the agent of one VM says. */
export interface VmSeen {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}
