import { join } from "node:path";

import { openRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import type { RunRecord } from "#libs/plan";

import { audit, describeViolations, rules } from "../../test/auditor/audit.ts";
import { readHistory, readLedgerRuns } from "../../test/auditor/read-history.ts";
import type { AuditedCluster } from "../../test/auditor/evidence.ts";
import type { DemoWorld } from "./start-world.ts";
import { users } from "./start-world.ts";

/** The newest run as the ledger tells it. */
export async function readLastRun(world: DemoWorld): Promise<RunRecord | undefined> {
  const repository = await openRepository({
    url: world.github.gitUrl,
    folder: join(world.folder, "clone-of-the-summary"),
    credentials: { token: users.meshroll.token },
  });
  const { ledger } = await repository.fetch();
  if (ledger === undefined) return undefined;
  const state = await openLedger(repository).load(ledger);
  return Object.values(state.runs).toSorted((a, b) => b.order - a.order)[0];
}

/** The auditor's verdict: an empty text is its signature. */
export function auditDemo(world: DemoWorld, cluster: AuditedCluster): string {
  const repository = join(world.folder, "rollouts.git");
  // The demo's GitHub stamps commits with the cluster's own time, so nothing has to be converted.
  const main = readHistory(repository, (at) => at);
  return describeViolations(audit({ main, clusters: [cluster], ledgerRuns: readLedgerRuns(repository) }));
}

/** What happened, for people, and what to look at. */
export function printSummary(run: RunRecord, cluster: AuditedCluster, violations: string): string {
  const aside = run.outcome?.aside ?? [];
  const minutes = Math.round((Date.parse(run.endedAt ?? "") - Date.parse(run.startedAt)) / 60_000);
  const outcome = `${run.outcome?.arrived ?? 0} arrived, ${aside.length} aside`;
  const writes = cluster.writes.filter((write) => write.fieldManager === "meshroll" && write.status < 300).length;
  const verdict =
    violations === ""
      ? `✔ signed: ${Object.keys(rules).length} rules, ${writes} writes, no violation`
      : `✖\n${violations}`;
  return [
    "",
    `run ${run.id} ${run.state}: ${outcome}, in ${minutes} min of cluster time`,
    ...aside.map(({ workload, reason }) => `  ✖ ${workload}\n      ${reason}`),
    `auditor  ${verdict}`,
    "",
    "look at it:",
    "  git --git-dir .demo/rollouts.git log -p main",
    "  git --git-dir .demo/rollouts.git log meshroll/ledger",
    "",
  ].join("\n");
}
