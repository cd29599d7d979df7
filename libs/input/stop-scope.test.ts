import { describe, expect, test } from "vitest";

import {
  coversOneOf,
  findNamed,
  findRunNamed,
  findScopeKind,
  findShareCluster,
  isStopScope,
  mayConcernCluster,
  namesOneOf,
  nameShareScope,
  type ScopeKind,
} from "./stop-scope.ts";

describe("7.1 a scope is taken apart as it is put together", () => {
  const cases: readonly [kind: ScopeKind, name: string][] = [
    ["cluster", "prod-use1-a"],
    ["campaign", "istio-1-25"],
    ["namespace", "payments"],
    ["run", "0ff56d2715bc"],
    ["bucket", ".*/x"],
  ];
  test.each(cases)("%s/%s", (kind, name) => {
    const scope = `${kind}/${name}`;
    expect(isStopScope(scope)).toBe(true);
    expect(findScopeKind(scope)).toBe(kind);
    expect(findNamed(kind, scope)).toBe(name);
    const others = cases.filter(([other]) => other !== kind);
    expect(others.flatMap(([other]) => findNamed(other, scope) ?? [])).toEqual([]);
  });

  test.each(["all", "run", "runs/0ff56d2715bc", "", "constructor/x"])("%j names no run", (scope) => {
    expect(findNamed("run", scope)).toBeUndefined();
    expect(findScopeKind(scope)).toBe(scope === "all" ? "all" : undefined);
  });

  test("no scope names nothing", () => expect(findNamed("run", undefined)).toBeUndefined());
});

describe("a scope covers what has its kind and its name", () => {
  const names = { run: ["0ff56d2715bc"], bucket: ["production", ".*/x"], cluster: [] };
  const cases: readonly { readonly scope: string; readonly names: boolean; readonly covers: boolean }[] = [
    { scope: "all", names: false, covers: true },
    { scope: "run/0ff56d2715bc", names: true, covers: true },
    { scope: "bucket/.*/x", names: true, covers: true },
    { scope: "bucket/0ff56d2715bc", names: false, covers: false },
    { scope: "run/production", names: false, covers: false },
    { scope: "cluster/production", names: false, covers: false },
    { scope: "namespace/production", names: false, covers: false },
    { scope: "run/0ff56d2715bc@one", names: false, covers: false },
    { scope: "constructor/production", names: false, covers: false },
    { scope: "production", names: false, covers: false },
  ];
  test.each(cases)("$scope", ({ scope, ...want }) => {
    expect({ names: namesOneOf(scope, names), covers: coversOneOf(scope, names) }).toEqual(want);
  });
});

test.each([
  [nameShareScope("0ff56d2715bc", "one"), "one"],
  ["run/0ff56d2715bc", undefined],
  ["bucket/a@b", undefined],
  ["all", undefined],
])("the cluster in which %s waits is %s", (scope, want) => expect(findShareCluster(scope)).toBe(want));

test("a wait of a run in one cluster is the run's", () => {
  expect(findRunNamed(nameShareScope("0ff56d2715bc", "one"))).toBe("0ff56d2715bc");
  expect(findRunNamed("run/0ff56d2715bc")).toBe("0ff56d2715bc");
  expect(findRunNamed("campaign/0ff56d2715bc")).toBeUndefined();
});

test.each([
  ["all", true],
  ["run/0ff56d2715bc", true],
  ["cluster/one", true],
  ["cluster/one-b", false],
  ["cluster/on", false],
])("a stop on %s may concern cluster one: %s", (scope, want) => expect(mayConcernCluster(scope, "one")).toBe(want));
