import type { Amount } from "../settings/settings.ts";
import { annotate } from "./field.ts";
import { readFields } from "./read-fields.ts";
import { readAmount, readDuration } from "./readers.ts";

/** Settings for groups of VMs. */
export interface VmFields {
  readonly maxUnavailable: Amount;
  readonly deadline: number;
}

/** `vms: {maxUnavailable: 10%, deadline: 14d}`. */
export const readVms = annotate(
  readFields<VmFields>({
    maxUnavailable: annotate(
      readAmount(1),
      "VMs of a group that may be unavailable at once, for whatever reason: a count, or a percentage of its VMs; one may always.",
      "10%",
    ),
    deadline: annotate(
      readDuration(0),
      "So long a group's VMs are spread over: the last one is upgraded at its end. 0s: as fast as maxUnavailable lets them.",
      "14d",
    ),
  }),
  "How the VMs of a WorkloadGroup are upgraded, once it is its group's turn.",
);
