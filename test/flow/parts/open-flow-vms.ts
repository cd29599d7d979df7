import { type FakeBusServer, openFakeBus } from "#fakes/bus";
import type { Clock } from "#libs/runtime";
import type { VmFleet } from "#libs/vms";

import { openSelfHostedVms } from "../../../libs/vms/self-hosted/open-self-hosted-vms.ts";

/** VMs of a cluster by the self-hosted adapter. */
export function openFlowVms(server: FakeBusServer, clock: Clock): (cluster: string) => VmFleet {
  return (cluster) => openSelfHostedVms({ bucket: openFakeBus(server).bucket("vms"), cluster, clock });
}
