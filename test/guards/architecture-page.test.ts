import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { listFiles } from "../../scripts/guards/list-files.ts";
import { houses } from "../../scripts/guards/rooms.ts";
import { listNamedPaths, listNamedRooms, listRooms } from "./architecture-page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}/docs/explanation/architecture.md`, "utf8");

describe("the page and the tree", () => {
  const tree = listRooms(
    listFiles(root),
    [...houses.keys()].filter((house) => house.split("/").length === 3),
  );
  const named = listNamedRooms(page);

  it("each path on the page exists", () => {
    const paths = listNamedPaths(page);
    expect(paths.length).toBeGreaterThan(150);
    expect(paths.filter(({ path }) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it("each path that CONTRIBUTING names exists", () => {
    const paths = listNamedPaths(readFileSync(`${root}/CONTRIBUTING.md`, "utf8"));
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter(({ path }) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it("each folder of a lib, a service, the CLI, a stand-in and the flows is named, and no other", () => {
    const sorted = [...named].map(([house, rooms]) => [house, rooms.toSorted()] as const);
    expect(new Map(sorted)).toEqual(tree);
  });

  it.each([...houses])("the rooms of %s are named in their order", (house, { order }) => {
    expect(named.get(house)).toEqual(order.filter((room) => room !== "."));
  });
});

describe("what is read of a page", () => {
  const sample = [
    "See `libs/plan/decide.ts`, `rollouts.yml`, `meshroll/plan` and `campaigns/*.yml`.",
    "```mermaid",
    '  a["what?<br/>libs/git: port.ts, read/ ✔"]',
    '  b["libs/rollouts"]',
    "```",
    "| room of `libs/plan` | what |",
    "| --- | --- |",
    "| `records/` | by `main.ts` |",
    "| `main/` | |",
    "",
    "| loop of `services/api` | file |",
    "| --- | --- |",
    "| hints | `hints/send-hints.ts`, `libs/git/port.ts` |",
    "",
    "| folder | what | rooms, lowest first |",
    "| --- | --- | --- |",
    "| `libs/git` | a clone | `process/` git, `read/` |",
    "| `libs/chat` | Slack | |",
  ].join("\n");

  it("paths, from the root or from the folder that their table is about", () => {
    expect(listNamedPaths(sample).map(({ line, path }) => `${line} ${path}`)).toEqual([
      "1 libs/plan/decide.ts",
      "3 libs/git",
      "3 libs/git/port.ts",
      "3 libs/git/read",
      "4 libs/rollouts",
      "6 libs/plan",
      "8 libs/plan/records",
      "8 libs/plan/main.ts",
      "9 libs/plan/main",
      "11 services/api",
      "13 services/api/hints/send-hints.ts",
      "13 libs/git/port.ts",
      "17 libs/git",
      "17 libs/git/process",
      "17 libs/git/read",
      "18 libs/chat",
    ]);
  });

  it("rooms, in the order of the page", () => {
    expect(listNamedRooms(sample)).toEqual(
      new Map([
        ["libs/plan", ["records", "main"]],
        ["libs/git", ["process", "read"]],
      ]),
    );
  });

  it("a room that the page forgets, and one that is gone, are distinguished from the tree", () => {
    const tree = listRooms(["libs/git/process/run-git.ts", "libs/git/port.ts", "libs/git/write/x.ts", "cli/show/a.ts"]);
    expect(tree).toEqual(
      new Map([
        ["cli", ["show"]],
        ["libs/git", ["process", "write"]],
      ]),
    );
  });
});
