import { countUnavailableVms, type JudgedVm, type VmCounts, type VmRef } from "#libs/fleet";
import type { Reason, VmWait } from "#libs/wording";

import { printTime } from "../records/index.ts";

/** A group of VMs, and what decides whose turn it is. */
export interface VmTagQuestion {
  /** The revision that the group's object asks for, and no tag of Istio's. */
  readonly revision: string;
  readonly vms: readonly JudgedVm[];
  readonly counts: VmCounts;
  /** Why no VM that runs another revision may be upgraded now; undefined = it may. */
  readonly hold: Reason | undefined;
  /** The move goes back: it is spread over nothing, and broken VMs go first. */
  readonly isBack: boolean;
  /** Since when the group asks for the revision, epoch ms; undefined = unknown, then no time has passed. */
  readonly since: number | undefined;
  /** Epoch ms by the same clock; undefined = unknown. */
  readonly now: number | undefined;
  /** `vms.deadline`, ms. */
  readonly deadline: number;
  /** Names of VMs whose tag was refused lately; absent = none. They are left out, so that they hold up no other. */
  readonly refused?: ReadonlySet<string>;
}

export interface VmTagPlan {
  /** Tags to write, in this order. */
  readonly tags: readonly VmRef[];
  /** Absent = none waits. */
  readonly wait?: VmWait;
}

/** Most tags of one turn: after them everything is judged again. */
const mostTags = 20;

/**
 * Whether a new tag changes nothing that the VM runs: it runs the revision already, or has no proxy yet. So a silent VM that
 * was tagged with what is rolled back, and had not installed it, does not install it when it is back.
 */
function losesNothing({ vm: { report }, state }: JudgedVm, revision: string): boolean {
  if (report === undefined) return false;
  return report.revision === revision || (report.revision === null && state !== "absent");
}

/** Nothing is heard of it: it is not tagged, because it may serve. */
function isSilent({ state }: JudgedVm): boolean {
  return state === "unknown" || state === "absent";
}

/**
 * Its agent itself says that it serves nothing, or is on the way elsewhere, or gave up: a new tag takes nothing away. What
 * others say of a VM, as its WorkloadEntry, is no reason to tag it out of turn: they may be wrong about all VMs at once.
 */
function isBroken({ vm: { report }, state }: JudgedVm): boolean {
  return state === "failed" || state === "upgrading" || (state === "unhealthy" && report?.ready === false);
}

/** VMs on the way to the revision, as far as is known. */
function countInHand({ vms, revision }: VmTagQuestion): number {
  return vms.filter(({ vm: { tag, report }, state }) => {
    return tag === revision && report?.revision !== revision && state !== "failed" && state !== "absent";
  }).length;
}

/** In this order a group goes forward: VMs that are ready, and at the end those that are not. */
function listForward(others: readonly JudgedVm[]): readonly JudgedVm[] {
  const ready = others.filter(({ state }) => state === "outdated");
  return [...ready, ...others.filter(({ state }) => state !== "outdated")];
}

/** How many VMs of the group are due by now: the share of the deadline that has passed, and one at least. */
function countDue({ vms, deadline, since, now, isBack }: VmTagQuestion): number {
  const all = vms.filter(({ state }) => state !== "absent").length;
  if (isBack || deadline === 0) return all;
  const passed = since === undefined || now === undefined ? 0 : Math.max(0, now - since);
  return Math.min(all, Math.floor((all * passed) / deadline) + 1);
}

/** When one VM more is due, epoch ms. */
function findNextDue({ vms, deadline, since, now = 0 }: VmTagQuestion, due: number): number {
  const all = vms.filter(({ state }) => state !== "absent").length;
  return Math.ceil((since ?? now) + (due * deadline) / Math.max(1, all));
}

interface Chosen {
  readonly chosen: readonly JudgedVm[];
  readonly wait?: VmWait;
}

/** The first ones for which there is room; broken ones need none. */
function takeWithin(room: number, order: readonly JudgedVm[]): readonly JudgedVm[] {
  let left = room;
  return order.filter((each) => isBroken(each) || left-- > 0);
}

function nameBudget({ counts }: VmTagQuestion): VmWait {
  return { code: "BudgetUsed", unavailable: countUnavailableVms(counts), allowed: counts.allowed };
}

/** How many more VMs may become unavailable. */
function measureRoom({ counts }: VmTagQuestion): number {
  return Math.max(0, counts.allowed - countUnavailableVms(counts));
}

function chooseForward(question: VmTagQuestion, others: readonly JudgedVm[]): Chosen {
  if (others.length === 0) return { chosen: [] };
  const due = countDue(question);
  const present = question.vms.filter(({ state }) => state !== "absent").length;
  const silent = question.vms.filter(
    (each) => isSilent(each) && each.state !== "absent" && isLeft(each, question),
  ).length;
  const begun = present - others.length - silent;
  if (due <= begun) return { chosen: [], wait: { code: "Spread", until: printTime(findNextDue(question, due)) } };
  const hands = Math.max(0, question.counts.allowed - countInHand(question));
  const chosen = takeWithin(measureRoom(question), listForward(others).slice(0, due - begun)).slice(0, hands);
  return chosen.length > 0 ? { chosen } : { chosen, wait: nameBudget(question) };
}

function chooseBack(question: VmTagQuestion, others: readonly JudgedVm[]): Chosen {
  const order = [...others.filter(isBroken), ...others.filter((each) => !isBroken(each))];
  const room = Math.min(measureRoom(question), Math.max(0, question.counts.allowed - countInHand(question)));
  const chosen = takeWithin(room, order);
  return chosen.length === order.length ? { chosen } : { chosen, wait: nameBudget(question) };
}

/** It has another tag, and the revision's would change what it runs. */
function isLeft(each: JudgedVm, { revision }: VmTagQuestion): boolean {
  return each.vm.tag !== revision && !losesNothing(each, revision);
}

function chooseNext(question: VmTagQuestion, others: readonly JudgedVm[]): Chosen {
  const { hold, isBack } = question;
  if (hold === undefined) return isBack ? chooseBack(question, others) : chooseForward(question, others);
  return others.length === 0 ? { chosen: [] } : { chosen: [], wait: { code: "Held", reason: hold } };
}

/**
 * Which VMs of a group are tagged now. A VM's tag is its turn: from then on its agent installs the revision, and it counts as
 * unavailable until it is ready on it. Unavailable VMs, for whatever reason, stay at or below `counts.allowed`.
 */
export function planVmTags(question: VmTagQuestion): VmTagPlan {
  const { revision, vms, refused } = question;
  const untagged = vms.filter(({ vm }) => vm.tag !== revision && refused?.has(vm.name) !== true);
  const harmless = untagged.filter((each) => losesNothing(each, revision));
  const others = untagged.filter((each) => isLeft(each, question) && !isSilent(each));
  const { chosen, wait } = chooseNext(question, others);
  const tags = [...harmless, ...chosen].slice(0, mostTags).map(({ vm: { group, name } }) => ({ group, name }));
  return wait === undefined ? { tags } : { tags, wait };
}
