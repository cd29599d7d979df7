import { PassThrough } from "node:stream";

import { expect, it } from "vitest";

import type { Listing } from "../show/listing.ts";
import { followListing } from "./follow-listing.ts";

function makeListing(states: Readonly<Record<string, string>>): Listing {
  const rows = Object.entries(states).map(([name, state]) => ({
    name,
    cells: [name, state],
    wide: [],
    item: { name, state },
  }));
  return { kind: "RunList", prefix: "run", header: ["NAME", "STATE"], spare: [], wideHeader: [], rows };
}

async function follow(
  format: "human" | "json" | "name",
  seen: readonly Listing[],
  isWithTitles = true,
): Promise<string> {
  const stdout = new PassThrough();
  let at = 0;
  const read = async () => Promise.resolve(seen[at++] ?? makeListing({}));
  const terminal = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), cwd: "/", env: {} };
  await followListing(read, { format, isWithTitles }, terminal, async () => Promise.resolve(at === seen.length));
  stdout.end();
  return String(stdout.read() ?? "");
}

const before = makeListing({ a: "open", b: "open" });
const after = makeListing({ b: "done", a: "open", c: "open" });

it("prints all rows, and then only changed and new ones", async () => {
  expect(await follow("human", [before, before, after])).toBe(
    "NAME  STATE\na     open\nb     open\nb     done\nc     open\n",
  );
});

it("prints the titles with the first rows", async () => {
  expect(await follow("human", [makeListing({}), makeListing({ a: "open" })])).toBe("NAME  STATE\na     open\n");
});

it("prints one object for each change, and names with their kind", async () => {
  const lines = (await follow("json", [before, after])).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { items: unknown[] }).items.length)).toEqual([2, 2]);
  expect(await follow("name", [before, after])).toBe("run/a\nrun/b\nrun/b\nrun/c\n");
});

it("prints no titles where none are wanted", async () => {
  expect(await follow("human", [before, after], false)).toBe("a     open\nb     open\nb     done\nc     open\n");
});
