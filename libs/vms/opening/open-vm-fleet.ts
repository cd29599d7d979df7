import type { KeyValue } from "#libs/bus";
import type { Logger } from "#libs/runtime";

import { type Ec2Settings, loadEc2 } from "../ec2/load-ec2.ts";
import { openEc2Vms } from "../ec2/open-ec2-vms.ts";
import type { VmFleet } from "../port.ts";
import { openSelfHostedVms } from "../self-hosted/open-self-hosted-vms.ts";
import type { VmClock } from "../vm-keys.ts";

/** Where the VMs' tags are. */
export type VmFleetKind = "self-hosted" | "ec2";

export interface VmFleetOptions {
  readonly kind: VmFleetKind;
  /** KV `vms`. */
  readonly bucket: KeyValue;
  readonly cluster: string;
  readonly clock: VmClock;
  readonly log: Pick<Logger, "warn">;
  /** Where EC2 is and who asks; what is absent the SDK finds by itself. */
  readonly ec2?: Ec2Settings;
}

/** The VMs of one cluster's groups. Throws `AdapterRefused` for EC2 when its SDK is not installed. */
export async function openVmFleet({ kind, bucket, cluster, clock, log, ec2 = {} }: VmFleetOptions): Promise<VmFleet> {
  switch (kind) {
    case "self-hosted":
      return openSelfHostedVms({ bucket, cluster, clock });
    case "ec2":
      return openEc2Vms({ client: await loadEc2(ec2), bucket, cluster, clock, log });
  }
}
