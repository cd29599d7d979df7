/** How a merge makes the commit on the protected branch. */
export type MergeMethod = "merge" | "squash" | "rebase";
