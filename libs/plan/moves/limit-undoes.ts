import type { Remediation, RemediationInput } from "./remediation.ts";

/**
 * Undos of failures do not wait. Unfinished undos and reverts of late patches restart healthy pods, so they go `batchSize` at a
 * time.
 */
export function limitUndoes(remediations: readonly Remediation[], input: RemediationInput): readonly Remediation[] {
  // A namespace's label restarts nothing, and its effect on new pods must not be delayed.
  const isLimited = ({ kind, write }: Remediation): boolean =>
    (kind === "finishUndo" || kind === "revert") && write.object === "workload";
  // A workload that is about to be undone does not count against itself.
  const waiting = new Set(remediations.filter(isLimited).map((remediation) => remediation.judged.key));
  const undone = [...input.snapshot.judged.list("rolling")].filter(
    ({ state, key }) => state.kind !== "migrating" && !waiting.has(key) && !input.snapshot.stalled.has(key),
  ).length;
  let room = input.settings.batch.batchSize - undone;
  return remediations.filter((remediation) => !isLimited(remediation) || room-- > 0);
}

/** A namespace is annotated once, however many of its workloads failed at this reconcile. */
export function annotateNamespaceOnce(remediations: readonly Remediation[]): readonly Remediation[] {
  const annotated = new Set<string>();
  return remediations.filter((remediation) => {
    if (remediation.write.object !== "namespace") return true;
    const { namespace } = remediation.judged.workload;
    return !annotated.has(namespace) && annotated.add(namespace);
  });
}
