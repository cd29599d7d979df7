import type { CasesOf } from "../../cases.ts";

interface CommitWords {
  readonly sha: string;
}

function nameRole(role: string) {
  return ({ sha }: CommitWords) => `${role} of ${sha.slice(0, 12)}`;
}

const gaps = {
  Commits: () => "all of its commits",
  Authors: () => "who wrote and pushed its commits",
  Author: nameRole("the author"),
  Committer: nameRole("the committer"),
  CoAuthor: nameRole("a co-author"),
  Pushes: () => "who pushed to its branch",
  EarlierPushes: () => "who pushed to its branch since it was made",
  PushAccount: () => "an account that pushed to its branch",
  MergedPushes: () => "who pushed what was merged into its branch",
  MergedBranch: () => "who pushed the other branch that was merged into its own",
};

/** What is not known of who took part in a pull request. */
export type AuthorshipGap = CasesOf<typeof gaps>;

export function printGap(gap: AuthorshipGap): string {
  return (gaps[gap.code] as (gap: AuthorshipGap) => string)(gap);
}
