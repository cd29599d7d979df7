import { expect, it } from "vitest";

import { readCoAuthors } from "./co-authors.ts";

const cases = [
  { name: "none", message: "A change", want: [[], 0] },
  {
    name: "an account by GitHub's own address, old and new",
    message:
      "A change\n\nCo-authored-by: Ada <7+ada@users.noreply.github.com>\nco-authored-by: B <bob@users.noreply.github.com>",
    want: [["ada", "bob"], 0],
  },
  { name: "a machine's", message: "x\n\nCo-authored-by: r <1+r[bot]@users.noreply.github.com>", want: [["r[bot]"], 0] },
  {
    name: "any other address: one that is not known",
    message: "x\n\nCo-authored-by: C <c@example.org>",
    want: [[], 1],
  },
  {
    name: "an empty login: one that is not known",
    message: "x\n\nCo-authored-by: C <@users.noreply.github.com>",
    want: [[], 1],
  },
] as const;

it.each(cases)("co-authors of a message: $name", ({ message, want }) => {
  const { coAuthors, unknownCoAuthors } = readCoAuthors(message);
  expect([coAuthors, unknownCoAuthors]).toEqual(want);
});
