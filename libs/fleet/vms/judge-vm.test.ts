import { describe, expect, test } from "vitest";

import { judgeVm, type VmQuestion, type VmState } from "./judge-vm.ts";
import type { Vm, VmReport } from "../vm-facts.ts";

const now = Date.parse("2026-11-28T12:00:00Z");
const group = { cluster: "one", namespace: "db", name: "ledger" };
const question: VmQuestion = { revision: "1-25", entries: new Map([["10.0.0.1", true]]), now, heardForMs: 600_000 };

const report: VmReport = {
  at: "2026-11-28T11:59:30Z",
  agent: "0.1.0",
  address: "10.0.0.1",
  tag: "1-25",
  revision: "1-25",
  attempted: "1-25",
  inProgress: false,
  ready: true,
  code: "UpToDate",
  message: "",
};
const vm: Vm = { group, name: "a", tag: "1-25", report, reportAgeMs: 1000 };
const saying = (change: Partial<VmReport>, more: Partial<Vm> = {}): Vm => ({
  ...vm,
  ...more,
  report: { ...report, ...change },
});
const without = (key: "report" | "reportAgeMs" | "tag", from: Vm = vm): Vm => {
  const { [key]: _, ...rest } = from;
  return rest;
};

interface Case {
  readonly vm: Vm;
  readonly question?: Partial<VmQuestion>;
  readonly want: VmState;
}

const cases: Readonly<Record<string, Case>> = {
  "runs what its group asks for, with a fresh report and a healthy entry": { vm, want: "ready" },
  "runs another revision, as its tag says": {
    vm: saying({ revision: "1-24", tag: "1-24" }, { tag: "1-24" }),
    want: "outdated",
  },
  "runs another revision and has no tag": {
    vm: without("tag", saying({ revision: "1-24", tag: null })),
    want: "outdated",
  },
  "was tagged, and its agent has not read the tag yet": {
    vm: saying({ revision: "1-24", tag: "1-24" }),
    want: "upgrading",
  },
  "is being switched": { vm: saying({ revision: "1-24", code: "Settling", inProgress: true }), want: "upgrading" },
  "waits for its store": { vm: saying({ revision: "1-24", code: "StoreUnavailable" }), want: "upgrading" },
  "gave its tag's revision up": { vm: saying({ revision: "1-24", code: "Quarantined" }), want: "failed" },
  "was refused its artifact": { vm: saying({ revision: "1-24", code: "ArtifactRefused" }), want: "failed" },
  "gave up what an earlier tag said, and has not read the new one": {
    vm: saying({ revision: "1-24", tag: "1-24-9", code: "Quarantined" }),
    want: "upgrading",
  },
  "its proxy is not ready": { vm: saying({ ready: false }), want: "unhealthy" },
  "its WorkloadEntry is not healthy": { vm, question: { entries: new Map([["10.0.0.1", false]]) }, want: "unhealthy" },
  "it has no WorkloadEntry": { vm, question: { entries: new Map() }, want: "unhealthy" },
  "its report is older than three of them": { vm: { ...vm, reportAgeMs: 90_001 }, want: "unknown" },
  "this process has not seen its report change": { vm: without("reportAgeMs"), want: "unknown" },
  "its agent never reported": { vm: without("report"), want: "unknown" },
  "it said nothing for an hour, while others did": { vm: saying({}, { reportAgeMs: 3_601_000 }), want: "absent" },
  "it said nothing for an hour, and neither did any other: the api may be away": {
    vm: saying({}, { reportAgeMs: 3_601_000 }),
    question: { heardForMs: 0 },
    want: "unknown",
  },
  "it said nothing for an hour, and others are back for nine minutes": {
    vm: saying({}, { reportAgeMs: 3_601_000 }),
    question: { heardForMs: 540_000 },
    want: "unknown",
  },
  "its clock is two hours late, and it is silent for two minutes": {
    vm: saying({ at: "2026-11-28T10:00:00Z" }, { reportAgeMs: 120_000 }),
    want: "unknown",
  },
  "this process has not seen its report change, which is two hours old": {
    vm: without("reportAgeMs", saying({ at: "2026-11-28T10:00:00Z" })),
    want: "absent",
  },
  "its clock is a day fast, and this process listened for two hours without it": {
    vm: without("reportAgeMs", saying({ at: "2026-11-29T12:00:00Z" })),
    question: { heardForMs: 7_200_000 },
    want: "absent",
  },
  "its tag is back, and its agent still ends the switch": { vm: saying({ inProgress: true }), want: "upgrading" },
  "an hour ago by its own clock, and heard of just now": { vm: saying({ at: "2026-11-28T10:00:00Z" }), want: "ready" },
  "the cloud says that it is stopped": { vm: { ...vm, stopped: true }, want: "absent" },
  "its group asks for nothing": { vm, question: { revision: undefined }, want: "outdated" },
};

describe("judgeVm", () => {
  test.each(Object.entries(cases))("%s", (_, each) => {
    expect(judgeVm(each.vm, { ...question, ...each.question })).toBe(each.want);
  });
});
