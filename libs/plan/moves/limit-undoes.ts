import type { Remediation, RemediationInput } from "./remediation.ts";

/** Failures do not wait; finished undoes and late writes restart what serves, so they go `batchSize` at a time. */
export function limitUndoes(cares: readonly Remediation[], input: RemediationInput): readonly Remediation[] {
  // A namespace's label restarts no workload, and what it would give to new pods must not wait for others.
  const isLimited = ({ kind, write }: Remediation): boolean =>
    (kind === "finishUndo" || kind === "revert") && write.object === "workload";
  // What is about to be undone does not count against itself.
  const waiting = new Set(cares.filter(isLimited).map((remediation) => remediation.state.key));
  const undone = [...input.snapshot.judged.list("rolling")].filter(
    ({ state, key }) => state.kind !== "migrating" && !waiting.has(key) && !input.snapshot.stalled.has(key),
  ).length;
  let room = input.settings.batch.batchSize - undone;
  return cares.filter((remediation) => !isLimited(remediation) || room-- > 0);
}

/** A namespace is marked once, however many of its workloads failed at the same reconcile. */
export function markNamespaceOnce(cares: readonly Remediation[]): readonly Remediation[] {
  const marked = new Set<string>();
  return cares.filter((remediation) => {
    if (remediation.write.object !== "namespace") return true;
    const { namespace } = remediation.state.workload;
    return !marked.has(namespace) && marked.add(namespace);
  });
}
