import type { Reason, Snapshot } from "../records/index.ts";

/** Why what needs the files of these commits waits, by the first of them that is not at hand; undefined when all are. */
export function explainUnreadCommit(
  { specs, main }: Pick<Snapshot, "specs" | "main">,
  commits: readonly string[],
  what: string,
): Reason | undefined {
  const commit = commits.find((each) => !specs.has(each));
  if (commit === undefined) return undefined;
  const begin = `${what} waits for the files of commit ${commit.slice(0, 12)}`;
  const error = main.unreadable?.get(commit)?.find(({ severity }) => severity === "error");
  if (error === undefined)
    return { code: "CommitUnread", message: `${begin}: they were not read from git yet`, owner: "the git server" };
  const place = `${error.file}:${error.line}:${error.column} ${error.message}`;
  const message = `${begin}: they do not parse with this version of meshroll (${place})`;
  return { code: "CommitUnread", message, owner: "who runs the planner" };
}
