import { listNamespaces } from "./list-namespaces.ts";
import { applyEdits, mutateManifests, type MutateOptions, type Outcome } from "./mutate.ts";
import { readManifests } from "./read-manifests.ts";

/** The usual options of a test: every namespace gets 1-25-2. */
export const usual: Omit<MutateOptions, "namespaces"> = {
  answer: () => ({ kind: "revision", revision: "1-25-2" }),
  tags: new Set(),
  stamp: { mutatedAt: "2026-11-24T10:00:00Z", specCommit: "0123456789ab" },
  verify: false,
};

/** A text after `mutate`; undefined for a malformed one. */
export function mutateText(
  text: string,
  given: Partial<MutateOptions> = {},
): { readonly text: string; readonly outcomes: readonly Outcome[] } | undefined {
  const read = readManifests(text);
  if (!read.ok) return undefined;
  const options = { ...usual, namespaces: listNamespaces(read.pieces), ...given };
  const { edits, outcomes } = mutateManifests(text, read.pieces, options);
  return { text: applyEdits(text, edits).join(""), outcomes };
}
