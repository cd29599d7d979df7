import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

import { checkRooms, rooms } from "../../scripts/guards/rooms.ts";

const cases: readonly {
  readonly name: string;
  readonly path: string;
  readonly specifier: string;
  readonly want: string;
}[] = [
  { name: "a neighbour", path: "libs/plan/gates/read-gate.ts", specifier: "./reading.ts", want: "" },
  { name: "a folder of its own room", path: "libs/plan/moves/plan-patch.ts", specifier: "./permit/facts.ts", want: "" },
  { name: "a room below, by its door", path: "libs/plan/gates/read-gate.ts", specifier: "../stops/index.ts", want: "" },
  { name: "from deeper down", path: "libs/plan/moves/permit/room.ts", specifier: "../../records/index.ts", want: "" },
  { name: "past the door", path: "libs/plan/gates/read-gate.ts", specifier: "../stops/stops.ts", want: "by its door" },
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
  { name: "the top of the house", path: "libs/plan/decide.ts", specifier: "./runs/index.ts", want: "" },
];

test.each(cases)("$name", ({ path, specifier, want }) => {
  const [complaint] = checkRooms(path, `import { x } from "${specifier}";\n`);
  expect(complaint?.message ?? "").toMatch(want === "" ? /^$/u : want);
});

test("each folder of libs/plan is a room of the list", () => {
  const folders = readdirSync(new URL("../../libs/plan/", import.meta.url), { withFileTypes: true });
  expect(folders.filter((each) => each.isDirectory()).map(({ name }) => name)).toEqual(rooms.toSorted());
});
