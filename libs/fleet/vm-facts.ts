/** A group of VMs: the WorkloadGroup of this name in that cluster and namespace. */
export interface VmGroupRef {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** One VM. Its name is unique in its group: a host name, or the id of an instance. */
export interface VmRef {
  readonly group: VmGroupRef;
  readonly name: string;
}

/** What the agent of a VM said last. */
export interface VmReport {
  /** ISO time by the VM's clock. */
  readonly at: string;
  /** Version of the agent. */
  readonly agent: string;
  /** The VM's address, as its WorkloadEntry has it. */
  readonly address: string;
  /** The revision in its tag as the agent read it; null = none, or unreadable. */
  readonly tag: string | null;
  /** The revision that was kept and runs; null = none. */
  readonly revision: string | null;
  /** The last switch that was begun. */
  readonly attempted: string | null;
  /** An artifact is fetched, or was switched to and is neither kept nor given up. */
  readonly inProgress: boolean;
  /** Its proxy is ready. */
  readonly ready: boolean;
  /** Code of the agent's reason, as `UpToDate` or `Quarantined`. */
  readonly code: string;
  /** The reason, for people. */
  readonly message: string;
}

/** One VM, as an executor sees it. */
export interface Vm extends VmRef {
  /** The revision that its tag says; absent = it has none. */
  readonly tag?: string;
  /** When the tag was written, epoch ms by the clock of the cluster's API server; absent = unknown. */
  readonly taggedAt?: number;
  /** Absent = its agent never reported, or that is lost. */
  readonly report?: VmReport;
  /** Real ms since this process saw the report change; absent = it has not seen it change. */
  readonly reportAgeMs?: number;
  /** The cloud says that it is stopped or being ended. */
  readonly stopped?: true;
}

/**
 * The VMs of a group by what is known of each. Every VM is in at most one of `upgrading`, `failed`, `unknown`, `unhealthy` and
 * `outdated`; those in none of them run the group's revision and are ready. The first four are unavailable.
 */
export interface VmCounts {
  /** How many may be unavailable at once: `maxUnavailable` of the group. */
  readonly allowed: number;
  /** Their tag names a revision that their agent has not kept yet. */
  readonly upgrading: number;
  /** Their agent gave the tag's revision up; they run the one before. */
  readonly failed: number;
  /** No fresh report, or never one. */
  readonly unknown: number;
  /** Their proxy, or their WorkloadEntry, is not ready. */
  readonly unhealthy: number;
  /** They are ready on another revision than the group's, as their tag says. */
  readonly outdated: number;
  /** Stopped, or not heard of for long: not counted among the replicas. */
  readonly absent: number;
}
