import type { Reason, ReasonOf } from "#libs/wording";

import type { Snapshot } from "../records/index.ts";

/** Why a decision waits for files of these commits, by the first that is not available; undefined when all are. */
export function explainUnreadCommit(
  { specs, main }: Pick<Snapshot, "specs" | "main">,
  commits: readonly string[],
  what: ReasonOf<"CommitUnread">["what"],
): Reason | undefined {
  const commit = commits.find((each) => !specs.has(each));
  if (commit === undefined) return undefined;
  const place = main.unreadable?.get(commit)?.find(({ severity }) => severity === "error");
  return { code: "CommitUnread", what, commit, ...(place === undefined ? {} : { place }) };
}
