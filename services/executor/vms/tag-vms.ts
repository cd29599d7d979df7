import type { VmRef } from "#libs/fleet";
import { type JudgedWorkload, judgeVmGroup, nameWorkload, planVmTags, type VmTagPlan } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";
import type { TagOutcome, VmFleet } from "#libs/vms";
import type { VmWait } from "#libs/wording";

import type { JudgedSnapshot } from "../moves/take-snapshot.ts";
import type { Troubles } from "../messages/troubles.ts";
import type { Refusals } from "../writes/refusals.ts";
import type { VmGroup, VmGroups } from "./vm-groups.ts";

/** What the tags of a cluster's VMs are written with. */
export interface Tagger {
  readonly groups: Pick<VmGroups, "list" | "isFresh">;
  readonly fleet: Pick<VmFleet, "setTag">;
  readonly takeSnapshot: () => Promise<JudgedSnapshot>;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  /** VMs whose tag was refused lately, by name: they are tried less and less often. */
  readonly refusals: Refusals;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A snapshot is too old for the next tag after this time, real ms (rules 12.1). */
const checkLimitMs = 5_000;

/** By the group's workload, `namespace/WorkloadGroup/name`: why its next VM waits. */
export type VmWaits = ReadonlyMap<string, VmWait>;

function nameVm(group: string, vm: string): string {
  return `${group}/${vm}`;
}

interface Planned extends VmTagPlan {
  readonly revision: string;
}

/** Which VMs of the group are tagged now, and with what; undefined while that is not known. */
function plan(
  { isWritten, vms }: VmGroup,
  each: JudgedWorkload,
  { snapshot }: JudgedSnapshot,
  refused: ReadonlySet<string>,
): Planned | undefined {
  const verdict = judgeVmGroup(snapshot, each);
  const counts = each.workload.vms;
  const deadline = snapshot.settings?.vms.deadline;
  if (!isWritten || verdict === undefined || counts === undefined || deadline === undefined) return undefined;
  const held = new Set(vms.flatMap(({ vm }) => (refused.has(nameVm(each.key, vm.name)) ? [vm.name] : [])));
  const question = { ...verdict, vms, counts, deadline, refused: held, now: snapshot.cluster.serverNow };
  return { ...planVmTags(question), revision: verdict.revision };
}

function isDone({ kind }: TagOutcome): boolean {
  return kind === "written" || kind === "gone";
}

/** Names the first tag of a group that could not be written; a group whose tags are written has no such problem. */
function report({ troubles, log }: Tagger, key: string, vm: VmRef, outcome: TagOutcome): void {
  if (isDone(outcome)) troubles.clear(`${key} tags`);
  else {
    const why = "why" in outcome ? outcome.why : outcome.kind;
    troubles.put(`${key} tags`, `the tag of VM ${vm.name} of ${key} cannot be written: ${why}`);
    log.info({ vm: vm.name, group: key, outcome }, "the tag was not written: the next turn decides again");
  }
}

async function writeTags(
  tagger: Tagger,
  key: string,
  { tags, revision }: Planned,
  { at, isOver }: { readonly at: number; readonly isOver: () => boolean },
): Promise<void> {
  for (const vm of tags) {
    if (isOver()) return;
    const outcome = await tagger.fleet.setTag(vm, { revision, at });
    report(tagger, key, vm, outcome);
    if (outcome.kind === "unavailable") return;
    // One VM whose tag a person has to make possible holds up no other.
    const name = nameVm(key, vm.name);
    if (outcome.kind === "refused") tagger.refusals.note(name, tagger.clock.monotonic());
    else tagger.refusals.clear(name);
    if (outcome.kind === "written") tagger.log.info({ vm: vm.name, group: key, revision }, "the VM is tagged");
  }
}

/**
 * Writes the tags that are due in every group, each by one snapshot, and returns why others wait. Writing a tag
 * again with the same value changes nothing.
 */
export async function tagVms(tagger: Tagger, signal: AbortSignal): Promise<VmWaits> {
  const waits = new Map<string, VmWait>();
  if (tagger.groups.list().length === 0 || !tagger.groups.isFresh()) return waits;
  const seen = await tagger.takeSnapshot();
  const began = tagger.clock.monotonic();
  const isOver = () => signal.aborted || tagger.clock.monotonic() - began > checkLimitMs;
  const { serverNow = tagger.clock.now() } = seen.snapshot.cluster;
  // Computed by a monotonic clock, it has a fraction, which no time in a tag has.
  const at = Math.floor(serverNow);
  const refused = tagger.refusals.listHeld(began);
  for (const group of tagger.groups.list()) {
    const key = nameWorkload(group.workload);
    const each = seen.judged.find(key);
    if (each === undefined || each.workload !== group.workload) continue;
    const planned = plan(group, each, seen, refused);
    if (planned?.wait !== undefined) waits.set(key, planned.wait);
    if (planned !== undefined) await writeTags(tagger, key, planned, { at, isOver });
  }
  return waits;
}
