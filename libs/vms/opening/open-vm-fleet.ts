import type { KeyValue } from "#libs/bus";
import type { Logger } from "#libs/runtime";

import type { VmFleet } from "../port.ts";
import { openSelfHostedVms } from "../self-hosted/open-self-hosted-vms.ts";
import type { VmClock } from "../vm-keys.ts";

/** Where the VMs' tags are. */
export type VmFleetKind = "self-hosted";

export interface VmFleetOptions {
  readonly kind: VmFleetKind;
  /** KV `vms`. */
  readonly bucket: KeyValue;
  readonly cluster: string;
  readonly clock: VmClock;
  readonly log: Pick<Logger, "warn">;
}

/** The VMs of one cluster's groups. */
export async function openVmFleet({ bucket, cluster, clock }: VmFleetOptions): Promise<VmFleet> {
  return openSelfHostedVms({ bucket, cluster, clock });
}
