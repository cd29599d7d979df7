import type { CasesOf } from "../../cases.ts";

interface GapWords {
  readonly title: string;
  readonly text: string;
}

const unread = "not all of its authors are known";

const gaps = {
  CommitsUnread: (): GapWords => ({ title: unread, text: "the SCM does not list all of its commits" }),
  CommitUnknown: ({ sha }: { readonly sha: string }): GapWords => ({
    title: unread,
    text: `commit ${sha.slice(0, 12)} has an author or committer whose email belongs to no account`,
  }),
  StageChanged: (): GapWords => ({
    title: "its head is not meshroll's",
    text: "it is on a stage's branch, and its head is not the commit that meshroll makes there",
  }),
};

/** Why a pull request needs one approval more than its rules say. */
export type ApprovalGap = CasesOf<typeof gaps>;

function wordGap(gap: ApprovalGap): GapWords {
  return (gaps[gap.code] as (gap: ApprovalGap) => GapWords)(gap);
}

/** As the end of a title. */
export function titleGap(gap: ApprovalGap): string {
  return wordGap(gap).title;
}

export function printGap(gap: ApprovalGap): string {
  return wordGap(gap).text;
}
