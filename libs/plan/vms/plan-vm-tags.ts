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
}

export interface VmTagPlan {
  /** Tags to write, in this order. */
  readonly tags: readonly VmRef[];
  /** Absent = none waits. */
  readonly wait?: VmWait;
}

/** Most tags of one turn: after them everything is judged again. */
const mostTags = 20;

/** Whether a new tag changes what the VM runs: one that has no proxy yet, or runs the revision already, loses nothing. */
function losesNothing({ vm, state }: JudgedVm, revision: string): boolean {
  const { report } = vm;
  return state !== "absent" && report !== undefined && (report.revision === null || report.revision === revision);
}

/**
 * VMs that a move back may tag at once: they are unavailable already, or not heard of, and must not install what is rolled back when they
 * come back.
 */
function isFreeBack({ state }: JudgedVm): boolean {
  return state !== "ready" && state !== "outdated";
}

/** Whose turn comes in what order: VMs that are ready, and at the end those whose proxy is broken anyway. */
function listForward(others: readonly JudgedVm[]): readonly JudgedVm[] {
  const ready = others.filter(({ state }) => state === "outdated");
  return [
    ...ready,
    ...others.filter(({ state }) => state === "unhealthy" || state === "upgrading" || state === "failed"),
  ];
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

/** The VMs whose turn it is, as far as the budget has room. One that is unavailable anyway takes none. */
function takeWithin(
  room: number,
  order: readonly JudgedVm[],
  isFree: (each: JudgedVm) => boolean,
): readonly JudgedVm[] {
  let left = room;
  const taken: JudgedVm[] = [];
  for (const each of order) {
    if (isFree(each)) taken.push(each);
    else if (left > 0) {
      left -= 1;
      taken.push(each);
    }
  }
  return taken;
}

function chooseForward(question: VmTagQuestion, others: readonly JudgedVm[]): Chosen {
  const { vms, counts } = question;
  const order = listForward(others);
  if (order.length === 0) return { chosen: [] };
  const due = countDue(question);
  const begun =
    vms.filter(({ state }) => state !== "absent").length - others.filter(({ state }) => state !== "absent").length;
  if (due <= begun) return { chosen: [], wait: { code: "Spread", until: printTime(findNextDue(question, due)) } };
  const unavailable = countUnavailableVms(counts);
  const chosen = takeWithin(
    counts.allowed - unavailable,
    order.slice(0, due - begun),
    ({ state }) => state !== "outdated",
  );
  if (chosen.length > 0) return { chosen };
  return { chosen, wait: { code: "BudgetUsed", unavailable, allowed: counts.allowed } };
}

function chooseBack({ counts }: VmTagQuestion, others: readonly JudgedVm[]): Chosen {
  const order = [...others.filter(isFreeBack), ...others.filter((each) => !isFreeBack(each))];
  const unavailable = countUnavailableVms(counts);
  const chosen = takeWithin(counts.allowed - unavailable, order, isFreeBack);
  if (chosen.length === order.length) return { chosen };
  return { chosen, wait: { code: "BudgetUsed", unavailable, allowed: counts.allowed } };
}

/**
 * Which VMs of a group are tagged now. A VM's tag is its turn: from then on its agent installs the revision, and it counts as
 * unavailable until it is ready on it. Unavailable VMs, for whatever reason, stay at or below `counts.allowed`.
 */
export function planVmTags(question: VmTagQuestion): VmTagPlan {
  const { revision, vms, hold, isBack } = question;
  const untagged = vms.filter(({ vm }) => vm.tag !== revision);
  const harmless = untagged.filter((each) => losesNothing(each, revision));
  const others = untagged.filter((each) => !losesNothing(each, revision));
  const isAnyLeft = others.some(({ state }) => isBack || (state !== "absent" && state !== "unknown"));
  const next: Chosen =
    hold === undefined
      ? isBack
        ? chooseBack(question, others)
        : chooseForward(question, others)
      : { chosen: [], ...(isAnyLeft ? { wait: { code: "Held", reason: hold } as const } : {}) };
  const tags = [...harmless, ...next.chosen].slice(0, mostTags).map(({ vm: { group, name } }) => ({ group, name }));
  return next.wait === undefined ? { tags } : { tags, wait: next.wait };
}
