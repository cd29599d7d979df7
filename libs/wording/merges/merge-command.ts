/** How a person's merge makes the commit on the protected branch; `queue`: the merge queue does. */
export type MergeStyle = "merge" | "squash" | "rebase" | "queue";

/** Where a pull request is. */
export interface ScmWords {
  /** Absent: on GitHub. */
  readonly scm?: "Gitea" | undefined;
}

/** A pull request that people review and merge. */
interface ReviewedPull extends ScmWords {
  readonly number: number;
}

export function nameScm({ scm = "GitHub" }: { readonly scm?: string | undefined }): string {
  return scm;
}

/** The command by which a person approves it, by GitHub's program or Gitea's. */
export function printApproveCommand({ number, scm }: ReviewedPull): string {
  return scm === "Gitea" ? `tea pulls approve ${number}` : `gh pr review ${number} --approve`;
}

/**
 * The command by which a person merges it, or puts it into the merge queue. `isForced`: past rules, which only GitHub's program
 * can ask for, and not past a queue.
 */
export function printMergeCommand(
  { number, style = "merge", scm }: ReviewedPull & { readonly style?: MergeStyle | undefined },
  isForced = false,
): string {
  if (scm === "Gitea") return `tea pulls merge --style ${style} ${number}`;
  if (style === "queue") return `gh pr merge ${number}`;
  return ["gh pr merge", String(number), ...(isForced ? ["--admin"] : []), `--${style}`].join(" ");
}
