import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { listFiles } from "../../scripts/guards/list-files.ts";
import { checkRooms, houses } from "../../scripts/guards/rooms.ts";

const cases: readonly {
  readonly name: string;
  readonly path: string;
  readonly specifier: string;
  readonly want: string;
}[] = [
  { name: "a neighbour", path: "libs/plan/gates/evaluate-gate.ts", specifier: "./reading.ts", want: "" },
  { name: "a folder of its own room", path: "libs/plan/moves/plan-patch.ts", specifier: "./permit/facts.ts", want: "" },
  {
    name: "a room below, by its door",
    path: "libs/plan/gates/evaluate-gate.ts",
    specifier: "../stops/index.ts",
    want: "",
  },
  {
    name: "from deeper down",
    path: "libs/plan/moves/permit/capacity.ts",
    specifier: "../../records/index.ts",
    want: "",
  },
  {
    name: "past the door",
    path: "libs/plan/gates/evaluate-gate.ts",
    specifier: "../stops/stops.ts",
    want: "by its door",
  },
  { name: "a room above", path: "libs/plan/stops/stops.ts", specifier: "../runs/index.ts", want: "may not import it" },
  {
    name: "a room without a place",
    path: "libs/plan/attic/x.ts",
    specifier: "../runs/index.ts",
    want: "attic is not in",
  },
  {
    name: "the top of the house, past a door",
    path: "libs/plan/decide.ts",
    specifier: "./runs/advance-runs.ts",
    want: "door",
  },
  { name: "a lib without doors", path: "libs/git/push/x.ts", specifier: "../process/run-git.ts", want: "" },
  { name: "its room above", path: "libs/git/process/x.ts", specifier: "../push/y.ts", want: "may not import it" },
  { name: "its files that lie flat", path: "libs/git/process/x.ts", specifier: "../errors.ts", want: "" },
  { name: "a room from a file that lies flat", path: "libs/git/x.ts", specifier: "./push/y.ts", want: "may not" },
  { name: "a view that the commands use", path: "cli/commands/get.ts", specifier: "../show/listing.ts", want: "" },
  {
    name: "a command from a view",
    path: "cli/show/listing.ts",
    specifier: "../commands/get.ts",
    want: "show lies below commands and may not",
  },
  {
    name: "the program from a command",
    path: "cli/commands/setup/completion.ts",
    specifier: "../../program.ts",
    want: "commands lies below . and may not",
  },
  { name: "a flow's parts", path: "test/flow/fleet-flow.ts", specifier: "./parts/hanging-git.ts", want: "" },
  {
    name: "what walks use of restarts",
    path: "test/flow/walks/walks.ts",
    specifier: "../restarts/moments.ts",
    want: "",
  },
  {
    name: "the walks, from a test of campaigns",
    path: "test/flow/campaign/gates.test.ts",
    specifier: "../walks/walk-fleet.ts",
    want: "campaign lies below walks and may not",
  },
  {
    name: "a room of a room that is a house of its own",
    path: "libs/scm/github/calls/x.ts",
    specifier: "../comments/y.ts",
    want: "calls lies below comments and may not",
  },
  {
    name: "the room above, from deep in a house of its own",
    path: "libs/scm/github/calls/x.ts",
    specifier: "../../fake/y.ts",
    want: "github lies below fake and may not",
  },
  { name: "what a test tests", path: "libs/git/process/x.test.ts", specifier: "../push/y.ts", want: "" },
  { name: "its door", path: "libs/git/index.ts", specifier: "./push/y.ts", want: "" },
  { name: "the top of the house", path: "libs/plan/decide.ts", specifier: "./runs/index.ts", want: "" },
];

test.each(cases)("$name", ({ path, specifier, want }) => {
  const [complaint] = checkRooms(path, `import { x } from "${specifier}";\n`);
  expect(complaint?.message ?? "").toMatch(want === "" ? /^$/u : want);
});

const paths = listFiles(fileURLToPath(new URL("../..", import.meta.url)));

test.each([...houses])("the list has each folder of %s", (house, { order }) => {
  const below = paths
    .filter((path) => path.startsWith(`${house}/`))
    .map((path) => path.slice(house.length + 1).split("/"));
  const found = new Set(below.flatMap(([room, ...rest]) => (room === undefined || rest.length === 0 ? [] : [room])));
  expect([...found].toSorted()).toEqual(order.filter((room) => room !== ".").toSorted());
});
