import { describe, expect, test } from "vitest";

import type { RunsNow, RunsSeen } from "../../read/read-runs.ts";
import { differs, findDrift, printDrift } from "./drift.ts";

const onNew: RunsNow = { cluster: "one", workload: "Deployment/web", pods: 2, revisions: { new: 2 } };
const onOld: RunsNow = { ...onNew, revisions: { old: 2 } };
const pointers = ["/spec/template/metadata/labels/istio.io~1rev"];
const putBack: RunsNow = { ...onOld, overwritten: { manager: "argocd-controller", target: "new", pointers } };
const asked = (name: string, revision = name) => [{ what: "Namespace/shop", name, revision }];

function see(workload: RunsNow, asks: RunsSeen["namespaces"][number]["asks"] = []): RunsSeen {
  return { workloads: [workload], namespaces: [{ cluster: "one", asks, completed: 0, failed: 0 }] };
}

describe("whether a namespace differs from main", () => {
  const cases: readonly { readonly name: string; readonly seen: RunsSeen; readonly want: boolean }[] = [
    { name: "its pods and its label are on main's revision", seen: see(onNew, asked("new")), want: false },
    { name: "its label is back on old, and its pods are not yet", seen: see(onNew, asked("old")), want: true },
    { name: "its label is a tag of main's revision", seen: see(onNew, asked("stable", "new")), want: false },
    { name: "its label is a tag of another one", seen: see(onNew, asked("stable", "old")), want: true },
    { name: "its pods are on another one", seen: see(onOld), want: true },
  ];
  test.each(cases)("$name: $want", ({ seen, want }) => expect(differs(seen, "new")).toBe(want));
});

describe("what explain says of drift", () => {
  const subject = { namespace: "shop", revision: "new" };
  const failed = { ...onOld, failed: { revision: "new", reason: "ReadinessTimeout", at: "", isNamespace: false } };
  const cases: readonly {
    readonly name: string;
    readonly workload: RunsNow;
    readonly isInRun?: boolean;
    readonly want: RegExp;
  }[] = [
    {
      name: "put back, with who and what ends it",
      workload: putBack,
      want: /one Deployment\/web {2}Overwritten by argocd-/u,
    },
    { name: "taken back without a mark", workload: onOld, isInRun: false, want: /no open run moves it/u },
    { name: "an open run may move it", workload: onOld, isInRun: true, want: /^nothing$/u },
    { name: "it is not known whether a run does", workload: onOld, want: /^nothing$/u },
    { name: "failed, which a retry moves", workload: failed, isInRun: false, want: /^nothing$/u },
    { name: "nothing differs", workload: onNew, isInRun: false, want: /^nothing$/u },
  ];
  test.each(cases)("$name", ({ workload, isInRun, want }) => {
    const source = isInRun === undefined ? {} : { isInRun };
    const [first = "nothing"] = printDrift(findDrift(source, subject, see(workload)));
    expect(first).toMatch(want);
  });
});
