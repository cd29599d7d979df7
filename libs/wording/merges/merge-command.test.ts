import { expect, it } from "vitest";

import { type MergeStyle, printMergeCommand } from "./merge-command.ts";

it.each<{ readonly style?: MergeStyle; readonly want: string }>([
  { style: "squash", want: "gh pr merge 7 --admin --squash" },
  { style: "rebase", want: "gh pr merge 7 --admin --rebase" },
  { style: "queue", want: "gh pr merge 7 --admin" },
  { want: "gh pr merge 7 --admin --merge" },
])("the command names the style $style that the branch allows", ({ want, ...allowed }) => {
  expect(printMergeCommand({ number: 7, ...allowed }, "--admin")).toBe(want);
});
