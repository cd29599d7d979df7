import { expect, test } from "vitest";

import { printAnswer, readAnswer } from "./answer.ts";

const said = { text: "stop s1 on all", outcome: "done" } as const;

const cases: readonly { readonly name: string; readonly text: string; readonly want: string | undefined }[] = [
  { name: "of this version", text: printAnswer(said), want: "answer stop s1 on all" },
  { name: "of another version", text: JSON.stringify({ version: 2, ...said }), want: "other" },
  {
    name: "of another version, with an unknown outcome",
    text: JSON.stringify({ version: 2, verdict: "granted" }),
    want: "other",
  },
  { name: "without a version", text: JSON.stringify(said), want: undefined },
  { name: "of another form", text: JSON.stringify({ version: 1, text: "x" }), want: undefined },
  { name: "that is not JSON", text: "yes", want: undefined },
];

// A command line that ignored another build's answer would wait for it, and say that no planner is there.
test.each(cases)("what a person is told of an answer $name", ({ text, want }) => {
  const read = readAnswer(text);
  expect(read?.kind === "answer" ? `answer ${read.answer.text}` : read?.kind).toBe(want);
});
