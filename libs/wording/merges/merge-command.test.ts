import { expect, it } from "vitest";

import { type MergeStyle, printApproveCommand, printMergeCommand, type ScmWords } from "./merge-command.ts";

it.each<ScmWords & { readonly style?: MergeStyle; readonly want: string }>([
  { style: "squash", want: "gh pr merge 7 --admin --squash" },
  { style: "rebase", want: "gh pr merge 7 --admin --rebase" },
  { style: "queue", want: "gh pr merge 7" },
  { want: "gh pr merge 7 --admin --merge" },
  { style: "squash", scm: "Gitea", want: "tea pulls merge --style squash 7" },
])("the command to merge names the style $style that the branch allows, $scm", ({ want, ...allowed }) => {
  expect(printMergeCommand({ number: 7, ...allowed }, true)).toBe(want);
});

it.each<ScmWords & { readonly want: string }>([
  { want: "gh pr review 7 --approve" },
  { scm: "Gitea", want: "tea pulls approve 7" },
])("the command to approve is $want", ({ want, ...where }) => {
  expect(printApproveCommand({ number: 7, ...where })).toBe(want);
});
