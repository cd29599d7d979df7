import { compileSpec, createOwnership, type RunRecord, type Spec } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { expect, test } from "vitest";

/** Commits c0, c1, … of main, each with its own file. */
function commits(...files: readonly string[]): readonly Spec[] {
  return files.map((text, index) => {
    const compiled = compileSpec(sha(`c${index}`), text, undefined);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
    return compiled.spec;
  });
}

function owners(specs: readonly Spec[], states: readonly RunRecord["state"][], namespaces: readonly string[]) {
  const runs = states.map((state, index) =>
    makeRun(sha(`c${index + 1}`), sha(`c${index}`), { id: `run${index + 1}`, order: index + 1, state }),
  );
  const ledger = makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  const head = specs.at(-1);
  if (head === undefined) throw new Error("no commit");
  const ownerOf = createOwnership(head, ledger, new Map(specs.map((spec) => [spec.commit, spec])));
  return namespaces.map((name) => `${name} ${ownerOf(name).run?.id ?? "drift"} ${ownerOf(name).desired}`);
}

const all = (revision: string) => `production: { ${revision}: 100 }\n`;

const cases: Readonly<
  Record<string, { specs: readonly Spec[]; states: readonly RunRecord["state"][]; want: readonly string[] }>
> = {
  "1.3 a workload belongs to the latest run that changed its namespace's answer": {
    specs: commits(`${all("a")}x: { a: 100 }\n`, `${all("b")}x: { a: 100 }\n`, `${all("b")}x: { c: 100 }\n`),
    states: ["open", "open"],
    want: ["x run2 c", "y run1 b"],
  },
  "1.3 a later run that left its answer alone does not take it over": {
    specs: commits(`${all("a")}x: { a: 100 }\n`, `${all("a")}x: { b: 100 }\n`, `${all("c")}x: { b: 100 }\n`),
    states: ["open", "open"],
    want: ["x run1 b", "y run2 c"],
  },
  "1.3 once that run is done what differs is drift, though an older one is open": {
    specs: commits(all("a"), all("b"), `${all("b")}x: { c: 100 }\n`),
    states: ["open", "done"],
    want: ["x drift c", "y run1 b"],
  },
  "1.3 once all runs are over everything is drift": {
    specs: commits(all("a"), all("b")),
    states: ["done"],
    want: ["x drift b", "y drift b"],
  },
  "1.3 a run that vanished owns nobody": {
    specs: commits(all("a"), all("b")),
    states: ["gone"],
    want: ["x drift b", "y drift b"],
  },
  "1.2 before any run everything is drift": { specs: commits(all("a")), states: [], want: ["x drift a", "y drift a"] },
  "1.3 there and back: what ends where it began belongs to the run that brought it back": {
    specs: commits(all("a"), all("b"), all("a")),
    states: ["open", "open"],
    want: ["x run2 a", "y run2 a"],
  },
};

for (const [name, { specs, states, want }] of Object.entries(cases)) {
  test(name, () => expect(owners(specs, states, ["x", "y"])).toEqual(want));
}

test("without a ledger nobody is owned", () => {
  const [head] = commits(all("a"));
  if (head === undefined) throw new Error("no commit");
  expect(createOwnership(head, undefined, new Map())("x")).toEqual({ desired: "a" });
});
