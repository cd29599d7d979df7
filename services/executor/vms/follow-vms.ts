import type { VmFleet } from "#libs/vms";

import type { VmGroups } from "./vm-groups.ts";
import type { VmPublisher } from "./publish-vms.ts";
import { tagVms, type Tagger, type VmWaits } from "./tag-vms.ts";

/** What one cluster's VM groups are followed with. */
export interface VmFollower extends Omit<Tagger, "groups" | "fleet"> {
  readonly mode: "observe" | "act";
  readonly groups: VmGroups;
  readonly fleet: VmFleet;
  readonly publisher: VmPublisher;
  /** Called with each namespace in which figures of VMs changed. */
  readonly onChange: (namespace: string) => void;
}

/** Real ms between two turns. Thousands of agents report at any time, and VMs become stale without any event. */
const turnEveryMs = 1000;

function reportProblems({ groups, troubles }: VmFollower): void {
  const [first, ...others] = groups.problems();
  if (first === undefined) troubles.clear("vms");
  else troubles.put("vms", others.length === 0 ? first : `${first}; and ${others.length} more problems with VMs`);
}

/** One turn: judge all VMs by now, write the tags that are due, publish. */
async function turn(follower: VmFollower, signal: AbortSignal): Promise<void> {
  const { groups, mode, publisher, onChange } = follower;
  for (const namespace of groups.refresh()) onChange(namespace);
  reportProblems(follower);
  const waits: VmWaits = mode === "act" ? await tagVms(follower, signal) : new Map();
  await publisher.publish(groups.list(), waits);
}

/**
 * Follows the VMs of a cluster's groups until the signal aborts. What a Deployment's controller does for its pods is done here: the
 * executor writes the revision on the group like a template's label, and this gives it to the VMs one after the other.
 */
export async function followVms(follower: VmFollower, signal: AbortSignal): Promise<void> {
  const { clock, log } = follower;
  while (!signal.aborted) {
    await turn(follower, signal).catch((error: unknown) => {
      log.error({ error }, "could not follow the VMs: the next turn tries again");
    });
    await clock.sleepReal(turnEveryMs, signal).catch(() => undefined);
  }
}
