import type { Vm, VmRef, VmReport } from "#libs/fleet";
import type { Clock } from "#libs/runtime";

import type { NewTag, TagOutcome, VmFleet } from "./port.ts";
import { nameVm, showVm, sortVms } from "./vm-order.ts";

/** VMs in memory; its methods cause changes and faults. */
export interface FakeVms {
  /** A process that lists and tags the VMs of one cluster. */
  open(cluster: string): VmFleet;
  /** Every tag that was set, oldest first. */
  readonly writes: readonly { readonly vm: VmRef; readonly tag: NewTag }[];
  /** A VM starts, without a tag; `stopped`: the cloud says that it is stopped. */
  add(vm: VmRef, fields?: { readonly stopped?: true }): void;
  /** Its agent reports. */
  report(vm: VmRef, report: VmReport): void;
  /** The VM is gone for good. */
  remove(vm: VmRef): void;
  /** Nothing answers until `connect`. */
  disconnect(): void;
  connect(): void;
  /** Refuses every tag for this reason, until called with undefined. */
  refuse(why: string | undefined): void;
  /** Sets the next tag and loses the answer. */
  loseNextAnswer(): void;
  /** The bus loses its data: all reports. */
  loseReports(): void;
  /** Reports that cannot be read, by VM, and keys that are no VM's. */
  scribble(name: string | VmRef): void;
}

interface FakeVm {
  readonly vm: VmRef;
  readonly stopped?: true;
  tag?: NewTag;
  report?: VmReport;
  /** By the clock's `monotonic`. */
  reportedAt: number;
}

interface State {
  readonly byName: Map<string, FakeVm>;
  readonly foreign: string[];
  readonly writes: { readonly vm: VmRef; readonly tag: NewTag }[];
  readonly listeners: Set<() => void>;
  /** Since when nothing answers, by `monotonic`. */
  downSince: number | undefined;
  refused: string | undefined;
  losesAnswer: boolean;
}

const freshMs = 60_000;

/** In another cluster the VM may have the same name. */
function nameInAll(vm: VmRef): string {
  return `${vm.group.cluster}\u0000${nameVm(vm)}`;
}

function describeVm({ vm, stopped, tag, report, reportedAt }: FakeVm, startedAt: number, now: number): Vm {
  return {
    ...vm,
    ...(tag === undefined ? {} : { tag: tag.revision, taggedAt: tag.at }),
    ...(report === undefined ? {} : { report }),
    // What was there when the process began may be of any age.
    ...(report === undefined || reportedAt <= startedAt ? {} : { reportAgeMs: now - reportedAt }),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function writeTag(state: State, vm: VmRef, tag: NewTag): TagOutcome {
  if (state.downSince !== undefined) return { kind: "unavailable", why: "the VMs in memory do not answer" };
  if (state.refused !== undefined) return { kind: "refused", why: state.refused };
  const found = state.byName.get(nameInAll(vm));
  if (found === undefined) return { kind: "gone" };
  found.tag = tag;
  state.writes.push({ vm, tag });
  for (const tell of state.listeners) tell();
  if (!state.losesAnswer) return { kind: "written" };
  state.losesAnswer = false;
  return { kind: "unavailable", why: "the answer was lost" };
}

function openFake(state: State, cluster: string, clock: Pick<Clock, "monotonic">): VmFleet {
  /** Counts as the time of the first read. */
  let startedAt: number | undefined;

  function explain(): readonly string[] {
    if (startedAt === undefined) return ["the VMs in memory were not read yet"];
    const { downSince } = state;
    const isDown = downSince !== undefined && clock.monotonic() - downSince > freshMs;
    return isDown ? ["the VMs in memory do not answer"] : [];
  }

  return {
    async start(onChange, signal) {
      startedAt = clock.monotonic();
      state.listeners.add(onChange);
      signal.addEventListener("abort", () => void state.listeners.delete(onChange), { once: true });
    },
    list() {
      const why = explain();
      const problems = [...why, ...state.foreign.map((name) => `${name} cannot be read`)];
      if (startedAt === undefined) return { fresh: false, problems, vms: [] };
      const began = startedAt;
      const own = [...state.byName.values()].filter(({ vm }) => vm.group.cluster === cluster);
      const vms = new Map(own.map((each) => [nameVm(each.vm), describeVm(each, began, clock.monotonic())]));
      return { fresh: why.length === 0, problems, vms: sortVms(vms) };
    },
    setTag: async (vm, tag) => writeTag(state, vm, tag),
  };
}

/** A place without VMs that answers. */
export function createFakeVms(clock: Pick<Clock, "monotonic">): FakeVms {
  const state: State = {
    byName: new Map(),
    foreign: [],
    writes: [],
    listeners: new Set(),
    downSince: undefined,
    refused: undefined,
    losesAnswer: false,
  };
  const tellAll = (): void => {
    for (const tell of state.listeners) tell();
  };

  /** The VM; added when it is not there. */
  function findOrAdd(vm: VmRef): FakeVm {
    const found = state.byName.get(nameInAll(vm)) ?? { vm, reportedAt: Number.NEGATIVE_INFINITY };
    state.byName.set(nameInAll(vm), found);
    return found;
  }

  return {
    writes: state.writes,
    open: (cluster) => openFake(state, cluster, clock),
    add(vm, fields = {}) {
      state.byName.set(nameInAll(vm), { vm, ...fields, reportedAt: Number.NEGATIVE_INFINITY });
      tellAll();
    },
    report(vm, report) {
      const found = findOrAdd(vm);
      // The same once more is no news.
      if (JSON.stringify(found.report) === JSON.stringify(report)) return;
      found.report = report;
      found.reportedAt = clock.monotonic();
      tellAll();
    },
    remove(vm) {
      state.byName.delete(nameInAll(vm));
      tellAll();
    },
    disconnect: () => void (state.downSince = clock.monotonic()),
    connect() {
      state.downSince = undefined;
      tellAll();
    },
    refuse: (why) => void (state.refused = why),
    loseNextAnswer: () => void (state.losesAnswer = true),
    loseReports() {
      for (const each of state.byName.values()) delete each.report;
      tellAll();
    },
    scribble(name) {
      state.foreign.push(typeof name === "string" ? name : showVm(name));
      if (typeof name !== "string") delete findOrAdd(name).report;
      tellAll();
    },
  };
}
