import { expect, test } from "vitest";

import { checkHouses } from "../../scripts/guards/houses.ts";

const out = "leads out of";
const forTests = "for tests";

const cases: readonly {
  readonly name: string;
  readonly path: string;
  readonly specifier: string;
  readonly want: string;
}[] = [
  { name: "a neighbour", path: "libs/git/port.ts", specifier: "./errors.ts", want: "" },
  { name: "another room of the same lib", path: "libs/git/a/b/c.ts", specifier: "../../d/e/f.ts", want: "" },
  { name: "another lib", path: "libs/plan/decide.ts", specifier: "../git/port.ts", want: out },
  { name: "another lib, from below", path: "libs/plan/a/b/c.ts", specifier: "../../../git/port.ts", want: out },
  { name: "another lib, by a detour", path: "libs/plan/decide.ts", specifier: "./x/../../git/port.ts", want: out },
  { name: "a lib whose name begins alike", path: "libs/git/port.ts", specifier: "../github/port.ts", want: out },
  { name: "a lib's test that reaches elsewhere", path: "libs/kube/b.test.ts", specifier: "../plan/x.ts", want: out },
  {
    name: "a service from a lib",
    path: "libs/git/x.ts",
    specifier: "../../services/planner/reconcile/planner.ts",
    want: out,
  },
  { name: "another service", path: "services/api/x.ts", specifier: "../planner/gather.ts", want: out },
  { name: "the sandbox from a service", path: "services/api/x.ts", specifier: "../../sandbox/github/x.ts", want: out },
  {
    name: "a service from the CLI",
    path: "cli/run.ts",
    specifier: "../services/planner/reconcile/planner.ts",
    want: out,
  },
  { name: "the sandbox from the CLI", path: "cli/read/x.ts", specifier: "../../sandbox/demo/main.ts", want: out },
  { name: "a service from the agent", path: "agent/x.ts", specifier: "../services/executor/executor.ts", want: out },
  { name: "all of it, from a test folder", path: "test/flow/x.ts", specifier: "../../libs/git/port.ts", want: "" },
  { name: "a service from the sandbox", path: "sandbox/demo/x.ts", specifier: "../../services/api/x.ts", want: "" },
  { name: "a fake from the product", path: "libs/git/repository/x.ts", specifier: "../fake.ts", want: forTests },
  { name: "a part of a fake from the product", path: "libs/git/x.ts", specifier: "./fake/remote.ts", want: forTests },
  {
    name: "a conformance suite from the product",
    path: "libs/bus/x.ts",
    specifier: "./conformance.ts",
    want: forTests,
  },
  { name: "a fake from a test", path: "libs/git/x.test.ts", specifier: "./fake.ts", want: "" },
  { name: "a fake from its part", path: "libs/git/fake/remote.ts", specifier: "../fake-clone.ts", want: "" },
];

test.each(cases)("$name", ({ path, specifier, want }) => {
  for (const statement of [`import { x } from "${specifier}"`, `export const x = import("${specifier}")`]) {
    const [complaint] = checkHouses(path, `${statement};\n`);
    expect(complaint?.message ?? "").toMatch(want === "" ? /^$/u : want);
  }
});

test("each refused import is named with its line", () => {
  const text = 'import { a } from "./a.ts";\nimport {\n  b,\n} from "../bus/b.ts";\nimport "../bus/c.ts";\n';
  expect(checkHouses("libs/git/x.ts", text).map(({ line }) => line)).toEqual([4, 5]);
});
