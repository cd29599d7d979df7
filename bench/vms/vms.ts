import { builtInSettings } from "#libs/campaign";
import type { NamespaceInventory, Vm, VmReport, Workload } from "#libs/fleet";
import type { Cluster } from "#libs/kube";
import { planVmTags } from "#libs/plan";
import type { VmFleet } from "#libs/vms";

import { createVmGroups, type VmGroups } from "../../services/executor/vms/vm-groups.ts";
import { atMostPeer, type Bench, type Figure, takeMedian } from "../bench.ts";
import { measureInTurns } from "../measure.ts";

const [FEW, MANY] = [500, 5_000];
const IN_GROUP = 100;
const ROUNDS = 15;
/** Between two reports of an agent, in turns of the executor. */
const TURNS_OF_A_REPORT = 30;

/** One turn of an executor over all VMs of a cluster: every one is judged, its group counted, and the next ones chosen. */
export const vmsBench: Bench = { name: "vms", run: runVms };

function makeVm(at: number): Vm {
  const group = { cluster: "one", namespace: `team-${Math.floor(at / IN_GROUP)}`, name: "db" };
  const revision = at % 3 === 0 ? "new" : "old";
  const report: VmReport = {
    at: "2026-11-28T12:00:00.000Z",
    agent: "0.1.0",
    address: `10.0.${at >> 8}.${at & 255}`,
    tag: revision,
    revision,
    attempted: revision,
    inProgress: false,
    ready: true,
    code: "UpToDate",
    message: "runs what its tag says",
  };
  return { group, name: `vm-${at}`, tag: revision, taggedAt: 0, report, reportAgeMs: 0 };
}

function makeGroup(namespace: string): Workload {
  return {
    namespace,
    kind: "WorkloadGroup",
    name: "db",
    uid: `uid-${namespace}`,
    resourceVersion: "1",
    generation: 0,
    observedGeneration: 0,
    replicas: 0,
    total: 0,
    updated: 0,
    available: 0,
    deadlineExceeded: false,
    paused: false,
    onDelete: false,
    selectsRevision: false,
    template: { labels: { "istio.io/rev": "new" }, annotations: {}, hostNetwork: false, isVms: true },
    annotations: {},
    pods: [],
  };
}

function makeNamespace(name: string): NamespaceInventory {
  const labels = { "kubernetes.io/metadata.name": name };
  const namespace = { name, uid: `uid-${name}`, resourceVersion: "1", labels, annotations: {}, terminating: false };
  return { namespace, workloads: [makeGroup(name)], readAt: "1" };
}

interface Fleet {
  readonly groups: VmGroups;
  readonly vms: Vm[];
  /** A thirtieth of the VMs reported since the last turn. */
  readonly turn: () => number;
}

function makeFleet(count: number): Fleet {
  const vms = Array.from({ length: count }, (_, at) => makeVm(at));
  const names = [...new Set(vms.map(({ group }) => group.namespace))];
  const namespaces = new Map(names.map((name) => [name, makeNamespace(name)]));
  const entries = new Map(names.map((name) => [name, new Map<string, boolean>()]));
  for (const { group, report } of vms) entries.get(group.namespace)?.set(report?.address ?? "", true);
  const view = {
    namespaces,
    entriesOf: (namespace: string) => entries.get(namespace) ?? new Map<string, boolean>(),
    facts: () => ({ tags: {}, revisions: [] }),
  };
  const fleet: VmFleet = {
    start: async () => undefined,
    list: () => ({ fresh: true, problems: [], vms }),
    setTag: async () => ({ kind: "written" }),
  };
  const cluster = { name: "one", view } as unknown as Cluster;
  let turns = 0;
  const clock = { now: () => Date.parse("2026-11-28T12:00:10Z"), elapsed: () => turns * 1000 };
  const groups = createVmGroups({ cluster, fleet, settings: () => builtInSettings.vms, clock });
  const plan = (): number => {
    let tags = 0;
    for (const { workload, vms: judged } of groups.list()) {
      const { vms: counts } = workload;
      if (counts === undefined) continue;
      const question = {
        revision: "new",
        vms: judged,
        counts,
        hold: undefined,
        isBack: false,
        since: 0,
        now: 1,
        deadline: 0,
      };
      tags += planVmTags(question).tags.length;
    }
    return tags;
  };
  const turn = (): number => {
    turns += 1;
    for (let at = turns % TURNS_OF_A_REPORT; at < count; at += TURNS_OF_A_REPORT) vms[at] = makeVm(at);
    return groups.refresh().length + plan();
  };
  return { groups, vms, turn };
}

function runVms(): readonly Figure[] {
  const [few, many] = [makeFleet(FEW), makeFleet(MANY)];
  const texts = many.vms.map(({ report }) => JSON.stringify(report));
  const rounds = measureInTurns(
    {
      few: { pass: few.turn, operations: FEW },
      many: { pass: many.turn, operations: MANY },
      parse: {
        pass: () => texts.reduce((sum, text) => sum + Object.keys(JSON.parse(text) as object).length, 0),
        operations: MANY,
      },
    },
    ROUNDS,
  );
  const [small, large, parse] = [rounds.few, rounds.many, rounds.parse].map((each) => takeMedian(each, "ns"));
  if (small === undefined || large === undefined || parse === undefined) return [];
  const ms = (large.value * MANY) / 1e6;
  console.error(
    `bench: vms: a turn over ${MANY} VMs takes ${ms.toFixed(1)} ms of CPU; an executor does one each second`,
  );
  return [
    atMostPeer(`judge ${MANY} VMs, per VM`, large, `${FEW} VMs`, small, 2),
    atMostPeer(`judge ${MANY} VMs, per VM`, large, "JSON.parse of its report", parse, 3),
  ];
}
