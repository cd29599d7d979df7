import { type ActiveStop, compileSpec, judgeChanges, type RunRecord, type Spec } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { makeCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, test } from "vitest";

import { createOwnership } from "./ownership.ts";

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
  "1.3 there and back: what ends where it began belongs to the run that brought it back": {
    specs: commits(all("a"), all("b"), all("a")),
    states: ["open", "open"],
    want: ["x run2 a", "y run2 a"],
  },
};

for (const [name, { specs, states, want }] of Object.entries(cases)) {
  test(name, () => expect(owners(specs, states, ["x", "y"])).toEqual(want));
}

test("without a ledger no workload is owned", () => {
  const [head] = commits(all("a"));
  if (head === undefined) throw new Error("no commit");
  expect(createOwnership(head, undefined, new Map())("x")).toEqual({ desired: "a" });
});

/** Runs r1, r2, … from each commit to the next, newest last; all that they changed went forward. */
function runsOf(specs: readonly Spec[], changes: readonly Partial<RunRecord>[]): readonly RunRecord[] {
  return changes.map((change, index) => {
    const [before, after] = [specs[index], specs[index + 1]];
    if (before === undefined || after === undefined) throw new Error("no commit");
    return makeRun(after.commit, before.commit, {
      id: `r${index + 1}`,
      order: index + 1,
      changes: judgeChanges(makeLedger(), before, after),
      ...change,
    });
  });
}

function ownerships(specs: readonly Spec[], runs: readonly RunRecord[], stops: readonly ActiveStop[] = []) {
  const head = specs.at(-1);
  if (head === undefined) throw new Error("no commit");
  const ledger = makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  return createOwnership(head, ledger, new Map(specs.map((spec) => [spec.commit, spec])), stops);
}

test("1.3 a run whose files were not read owns no workload, and hides no earlier run", () => {
  const specs = commits(all("a"), all("b"), `${all("b")}x: { c: 100 }\n`);
  const runs = runsOf(specs, [{}, { before: sha("unread") }]);
  expect(ownerships(specs, runs)("y")).toMatchObject({ desired: "b", run: { id: "r1" } });
});

type Late = { name: string; files: string[]; changes: Partial<RunRecord>[]; newer: string; owner: string | undefined };

test.each<Late>([
  {
    name: "a rollback",
    files: [all("b"), all("a")],
    changes: [{}, {}],
    newer: `${all("a")}x: { b: 100 }\n`,
    owner: "r2",
  },
  { name: "an open run", files: [all("b")], changes: [{}], newer: `${all("b")}x: { c: 100 }\n`, owner: "r1" },
])(
  "2.4 what a commit asks for whose run is not on record yet is not moved by $name",
  ({ files, changes, newer, owner }) => {
    const specs = commits(all("a"), ...files, newer);
    const ownerOf = ownerships(specs, runsOf(specs.slice(0, -1), changes));
    expect(ownerOf("x")).toEqual({ desired: specs.at(-1)?.resolver.resolve("x").revision });
    expect(ownerOf("y").run?.id).toBe(owner);
  },
);

test("2.3 a namespace that a run rolls back is so since the run began; one that it moves forward is not", () => {
  const specs = commits(`${all("a")}x: { a: 100 }\n`, `${all("b")}x: { a: 100 }\n`, `${all("a")}x: { b: 100 }\n`);
  const back = [
    { pattern: "production", from: '[["b",100]]', to: '[["a",100]]', direction: "rollback" as const },
    { pattern: "x", from: '[["a",100]]', to: '[["b",100]]', direction: "forward" as const },
  ];
  const ownerOf = ownerships(specs, runsOf(specs, [{}, { changes: back, startedAt: "2026-11-19T12:34:00.000Z" }]));
  expect(ownerOf("y")).toMatchObject({ desired: "a", run: { id: "r2" }, rollbackSince: "2026-11-19T12:34:00.000Z" });
  expect(ownerOf("x")).toMatchObject({ desired: "b", run: { id: "r2" } });
  expect(ownerOf("x")).not.toHaveProperty("rollbackSince");
});

test("2.3 a removed bucket moves no namespace forward as a rollback", () => {
  const specs = commits(all("a"), all("b"), `${all("b")}y: { a: 100 }\n`, all("b"));
  const back = [{ pattern: "y", from: '[["a",100]]', to: "", direction: "rollback" as const }];
  const ownerOf = ownerships(specs, runsOf(specs, [{}, {}, { changes: back }]));
  expect(ownerOf("y")).toMatchObject({ desired: "b", run: { id: "r3" } });
  expect(ownerOf("y")).not.toHaveProperty("rollbackSince");
});

describe("2.4 a rollback in force goes before main", () => {
  const specs = commits(
    `${all("a")}x: { a: 100 }\nz: { a: 100 }\n`,
    `${all("b")}x: { a: 100 }\nz: { a: 100 }\n`,
    `${all("b")}x: { a: 100 }\nz: { c: 100 }\n`,
  );
  const stop: ActiveStop = {
    id: "r",
    scope: "run/r1",
    strength: "move",
    who: "ana",
    why: "",
    at: "2026-11-19T12:30:00.000Z",
    from: "ledger",
    revertTo: sha("c0"),
    now: true,
  };
  const runs = runsOf(specs, [{}, {}]);

  test("a workload whose desired revision differs is rolled back, owned by the run, since the rollback", () => {
    const ownerOf = ownerships(specs, runs, [stop]);
    expect(ownerOf("y")).toMatchObject({ desired: "a", run: { id: "r1" }, rollbackSince: stop.at });
  });

  test("a namespace that would go forward stays, because its run had rolled it back", () => {
    const states = commits(all("a"), all("b"), `${all("b")}y: { a: 100 }\n`);
    const ownerOf = ownerships(states, runsOf(states, [{}, {}]), [{ ...stop, scope: "run/r2", revertTo: sha("c1") }]);
    expect(ownerOf("y")).toEqual({ desired: "a" });
  });

  test("a namespace whose bucket was added since is rolled back too", () => {
    const later = commits(all("a"), all("b"), `${all("b")}y: { c: 100 }\n`);
    expect(ownerships(later, runsOf(later, [{}, {}]), [stop])("y")).toMatchObject({ desired: "a", run: { id: "r1" } });
  });

  test("it is judged again when the rollback comes, when another one does, and after a retry; not for another wave", () => {
    const before = ownerships(specs, runs);
    const during = ownerships(specs, runs, [stop]);
    expect(during).not.toBe(before);
    expect(ownerships(specs, runs, [stop])).toBe(during);
    expect(ownerships(specs, runs, [{ ...stop, at: "2026-11-19T12:31:00.000Z" }])).not.toBe(during);
    const retried = runs.map((run) => ({ ...run, retried: { "one:y/Deployment/a": 1 } }));
    expect(ownerships(specs, retried)).not.toBe(before);
    const waved = ownerships(specs, runs);
    expect(
      ownerships(
        specs,
        runs.map((run) => ({ ...run, clusters: {} })),
      ),
    ).toBe(waved);
  });
});

describe("1.3 what a run of an unfinished campaign left over", () => {
  const named = (name: string) => makeCampaign({ name });
  const cases: readonly {
    readonly name: string;
    readonly campaigns: readonly ReturnType<typeof named>[];
    /** Campaigns of the first run, which is over, and of the later ones, which are open. */
    readonly runs: readonly Partial<RunRecord>[];
    readonly want: string;
  }[] = [
    {
      name: "goes to the campaign's next run",
      campaigns: [named("up")],
      runs: [{ campaign: "up" }],
      want: "r2 leftover",
    },
    {
      name: "does not go to any other campaign's run",
      campaigns: [named("up"), named("next")],
      runs: [{ campaign: "other" }],
      want: "drift",
    },
    {
      name: "goes to the oldest such run",
      campaigns: [named("up")],
      runs: [{ campaign: "up" }, { campaign: "up" }],
      want: "r2 leftover",
    },
    {
      name: "does not go to a run that is over",
      campaigns: [named("up")],
      runs: [{ campaign: "up", state: "done" }, { campaign: "up" }],
      want: "r3 leftover",
    },
    {
      name: "does not go to an earlier run",
      campaigns: [named("up")],
      runs: [{ campaign: "up", order: 0 }, { campaign: "other" }],
      want: "drift",
    },
  ];
  test.each(cases)("$name: $want", ({ campaigns, runs, want }) => {
    const [first, second] = commits(all("a"), all("b"));
    if (first === undefined || second === undefined) throw new Error("no commit");
    const head = { ...second, campaigns: new Map(campaigns.map((each) => [each.name, each])) };
    // The later runs changed the answer of others only.
    const still = runs.map((_, index) => ({ ...second, commit: sha(`later${index}`) }));
    const specs = [first, { ...head, commit: sha("moved") }, ...still, head];
    const changes = [{ pattern: "other", from: '[["a",100]]', to: '[["b",100]]', direction: "forward" as const }];
    const later = runs.map((each) => ({ changes, ...each }));
    const records = runsOf(specs, [{ campaign: "up", state: "done" }, ...later]);
    const { run, isLeftover } = ownerships(specs, records)("x");
    expect(run === undefined ? "drift" : `${run.id}${isLeftover === true ? " leftover" : ""}`).toBe(want);
  });
});
