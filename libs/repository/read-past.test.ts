import { createFakeClone, createFakeRemote, type FakeClone, type FakeRemote, openFakeRepository } from "#fakes/git";
import { expect, test } from "vitest";

import { createPastReader } from "./read-past.ts";

const file = (percent: number) => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
const seeded = (seed: string) => `assignment: { seed: ${seed} }\n`;

type Files = Readonly<Record<string, string | null>>;

/** Up, down, up again, a file that does not parse, a bucket more, another seed, and back. */
const steps: readonly Files[] = [
  { "rollouts.yml": file(0) },
  { "rollouts.yml": file(30) },
  { "other.txt": "x\n" },
  { "rollouts.yml": file(0) },
  { "rollouts.yml": file(60) },
  { "rollouts.yml": "production: {" },
  { "rollouts.yml": `${file(60)}".*-staging":\n  old: 100\n` },
  { "meshroll.yml": seeded("b") },
  { "rollouts.yml": file(30) },
];

function commitAll(remote: FakeRemote, all: readonly Files[]): readonly string[] {
  return all.map((files) => remote.commitToMain({ files }));
}

/** A process with that clone reads main's past; what it says, and how many commits' files it read. */
async function readPast(remote: FakeRemote, clone: FakeClone, baseline: string) {
  const repository = openFakeRepository(remote, { clone });
  const { main } = await repository.fetch();
  let read = 0;
  const counted = {
    ...repository,
    readChanges: async (...[from, to, paths, each]: Parameters<typeof repository.readChanges>) =>
      repository.readChanges(from, to, paths, (change) => {
        read += 1;
        each(change);
      }),
  };
  const reader = createPastReader(counted);
  const { line, changes } = await reader.read({ baseline, head: main });
  return { said: [[...line], [...changes.values()]] as const, read };
}

interface Shown {
  readonly order: number;
  readonly changes: readonly { readonly direction: string }[];
}

const show = (changes: readonly Shown[]) =>
  changes.map(({ order, changes: [first] }) => `${order} ${first?.direction}`);

test("2.1 a process that starts reads of main only what the one before had not, and says the same", async () => {
  const remote = createFakeRemote();
  for (let count = 1; count < steps.length; count += 1) {
    const other = createFakeRemote();
    const clone = createFakeClone();
    const [baseline = ""] = commitAll(other, steps.slice(0, count));
    await readPast(other, clone, baseline);
    commitAll(other, steps.slice(count));
    const again = await readPast(other, clone, baseline);
    const readAgain = await readPast(other, createFakeClone(), baseline);
    expect(again.said).toEqual(readAgain.said);
    expect(again.read).toBeLessThanOrEqual(steps.length - count);
  }
  const [baseline = ""] = commitAll(remote, steps);
  const { said } = await readPast(remote, createFakeClone(), baseline);
  expect(show(said[1])).toEqual(["1 forward", "2 rollback", "3 forward", "4 forward", "5 forward", "6 forward"]);
});

/** What may stand in place of the note. */
const damages: readonly { readonly name: string; readonly change: (text: string, other: string) => string }[] = [
  { name: "is of another form", change: (text) => text.replace("meshroll-past 2", "meshroll-past 1") },
  { name: "is that of another repository", change: (_, other) => other },
];

test.each(damages)(
  "2.1 a note of main's past that $name is thrown away, and main is read again",
  async ({ change }) => {
    const remote = createFakeRemote();
    const clone = createFakeClone();
    const [baseline = ""] = commitAll(remote, steps);
    const first = await readPast(remote, clone, baseline);
    const elsewhere = createFakeClone();
    const foreign = createFakeRemote();
    const [start = ""] = commitAll(foreign, [{ "rollouts.yml": file(90) }, ...steps]);
    await readPast(foreign, elsewhere, start);
    const whole = clone.notes.get("past") ?? "";
    expect(whole).not.toBe("");
    clone.notes.set("past", change(whole, elsewhere.notes.get("past") ?? ""));
    const again = await readPast(remote, clone, baseline);
    expect([again.said, again.read]).toEqual([first.said, first.read]);
  },
);

test("2.1 after main was rewritten its past is read again", async () => {
  const remote = createFakeRemote();
  const clone = createFakeClone();
  const [baseline = "", second = ""] = commitAll(remote, steps);
  await readPast(remote, clone, baseline);
  remote.forceMain(second);
  remote.commitToMain({ files: { "rollouts.yml": file(80) } });
  const again = await readPast(remote, clone, baseline);
  expect(again.said).toEqual((await readPast(remote, createFakeClone(), baseline)).said);
  expect(show(again.said[1])).toEqual(["1 forward", "2 forward"]);
});

test("2.1 a commit whose campaign does not parse is a change of main like any other", async () => {
  const remote = createFakeRemote();
  const [baseline = ""] = commitAll(remote, [...steps, { "campaigns/a.yml": "x", "rollouts.yml": file(70) }]);
  const { said } = await readPast(remote, createFakeClone(), baseline);
  expect(show(said[1]).at(-1)).toBe("7 forward");
});
