import { stringify } from "yaml";

import type { LocalEvaluation } from "../../read/status-source.ts";

/** One document for each cluster in the form of Sail's proposal: `status.workloadMigration`. */
export async function printSail(
  { snapshot, head, evaluation }: LocalEvaluation,
  campaign: string | undefined,
): Promise<string> {
  const { describeSail } = await import("#libs/plan");
  const documents = describeSail(snapshot, head, evaluation, campaign).map(({ cluster, status }) =>
    // YAML 1.1, as Kubernetes reads it: times stay text.
    stringify({ metadata: { name: cluster }, status }, { version: "1.1", lineWidth: 0 }),
  );
  return documents.join("---\n");
}
