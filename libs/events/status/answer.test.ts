import { newestFormat, oldestFormat } from "#libs/input";
import { expect, test } from "vitest";

import { printAnswer, readAnswer } from "./answer.ts";

const said = { text: "stop s1 on all", outcome: "done" } as const;

const cases: readonly { readonly name: string; readonly text: string; readonly want: string | undefined }[] = [
  { name: "of this version", text: printAnswer(said), want: "answer stop s1 on all" },
  { name: "of the version before", text: printAnswer(said, oldestFormat), want: "answer stop s1 on all" },
  { name: "of a newer version", text: printAnswer(said, newestFormat + 1), want: "newer" },
  {
    name: "of a newer version, in words that are not known",
    text: JSON.stringify({ version: newestFormat + 1, verdict: "granted" }),
    want: "newer",
  },
  { name: "of a version that was given up", text: printAnswer(said, oldestFormat - 1), want: undefined },
  { name: "without a version", text: JSON.stringify(said), want: undefined },
  { name: "of another form", text: JSON.stringify({ version: newestFormat, text: "x" }), want: undefined },
  { name: "that is no JSON", text: "yes", want: undefined },
];

// A command line that took a newer planner's answer for none would wait for it, and say that no planner is there.
test.each(cases)("what a person is told of an answer $name", ({ text, want }) => {
  const read = readAnswer(text);
  expect(read?.kind === "answer" ? `answer ${read.answer.text}` : read?.kind).toBe(want);
});
