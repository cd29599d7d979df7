import type { Vm, VmRef } from "#libs/fleet";

/** All VMs of a cluster's groups, as they were last seen. */
export interface VmList {
  /** False: the list may lack VMs or changes of a minute and more, and nothing is decided by it. */
  readonly fresh: boolean;
  /** Why it is not fresh, for people; and VMs that cannot be read, each named. */
  readonly problems: readonly string[];
  /** By group (namespace, then name), then name. */
  readonly vms: readonly Vm[];
}

export type TagOutcome =
  | { readonly kind: "written" }
  /** The VM is gone. */
  | { readonly kind: "gone" }
  /** A person must fix something; `why` is what the source says. */
  | { readonly kind: "refused"; readonly why: string }
  /** No answer, or too many requests: the tag may have been written, and the next list shows it. */
  | { readonly kind: "unavailable"; readonly why: string };

/** The new tag of a VM: the revision, and the time of the decision, epoch ms by the clock of the cluster's API server. */
export interface NewTag {
  readonly revision: string;
  readonly at: number;
}

/** The VMs whose groups are in one cluster. Where their tags live is the adapter's; what their agents report comes over the bus. */
export interface VmFleet {
  /** Follows the VMs until `signal` aborts; resolves at once. `onChange` is called when a list may differ from the last one. */
  start(onChange: () => void, signal: AbortSignal): Promise<void>;
  /** The newest knowledge; no I/O. */
  list(): VmList;
  /** Sets the tag, and adds the VM to `list()` with it at once. Never throws. */
  setTag(vm: VmRef, tag: NewTag): Promise<TagOutcome>;
}
