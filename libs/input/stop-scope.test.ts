import { describe, expect, test } from "vitest";

import {
  findNamed,
  findRunNamed,
  findScopeKind,
  isStopScope,
  mayConcernCluster,
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
