/** How a person's merge makes the commit on the protected branch; `queue`: the merge queue does. */
export type MergeStyle = "merge" | "squash" | "rebase" | "queue";

/** The command by which a person merges, or puts it into the merge queue, which takes no method. */
export function printMergeCommand(
  { number, style = "merge" }: { readonly number: number; readonly style?: MergeStyle | undefined },
  ...flags: readonly string[]
): string {
  return ["gh pr merge", String(number), ...flags, ...(style === "queue" ? [] : [`--${style}`])].join(" ");
}
