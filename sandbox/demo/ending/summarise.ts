import { join } from "node:path";

import { openRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { audit, describeNotJudged, describeViolations, rules } from "../../../test/auditor/audit.ts";
import { collectEvidence } from "../../../test/auditor/evidence/collect-evidence.ts";
import type { AuditedCluster } from "../../../test/auditor/evidence/evidence.ts";
import { readGit } from "../../../test/auditor/evidence/git/read-git.ts";
import { countComments } from "../world/people.ts";
import type { DemoEnvironment } from "../world/start-world.ts";
import { slackChannel } from "../world/users.ts";

/** How the demo ended: the ledger's runs and stops, and the auditor's verdict. */
export interface Ending {
  /** In the order of main. */
  readonly runs: readonly RunRecord[];
  /** Stops in force, without those of runs that are over. */
  readonly held: readonly StopRecord[];
  /** Why failures stopped a run, by the run's id. */
  readonly stopped: Readonly<Record<string, string>>;
  /** `cluster namespace/Kind/name` of workloads that were broken before the demo began. */
  readonly brokenBefore: readonly string[];
  /** Messages in Slack, threads included, and comments under the pull requests. */
  readonly told: { readonly messages: number; readonly comments: number };
  /** Writes of meshroll that an API server carried out. */
  readonly writes: number;
  readonly clusters: number;
  /** One line each; empty when the audit passed. */
  readonly violations: readonly string[];
  /** What the evidence could not decide, one line each. */
  readonly notJudged: readonly string[];
  readonly rules: number;
  /** Real ms since the demo's process began. */
  readonly tookMs: number;
}

async function readLedger(environment: DemoEnvironment): Promise<LedgerState> {
  const repository = await openRepository({
    url: environment.scm.gitUrl,
    folder: join(environment.folder, "clone-of-the-summary"),
    credentials: { token: environment.scm.address.tokens.meshroll },
  });
  const { ledger } = await repository.fetch();
  if (ledger === undefined) throw new Error("branch meshroll/ledger is not there");
  return openLedger(repository).load(ledger);
}

/** An executor repeats its checks when they are older than this, real ms: a write may follow a decision by so much. */
const decisionAgeMs = 5_000;

/**
 * The auditor shares no code with the product: it reads git, the git server's times of pushes, and the clusters' write logs.
 */
async function auditDemo(
  environment: DemoEnvironment,
  clusters: readonly AuditedCluster[],
): Promise<Pick<Ending, "violations" | "notJudged">> {
  const { scm } = environment;
  const repository = readGit(join(environment.folder, "rollouts.git"), scm.listPushes());
  const evidence = collectEvidence(repository, clusters, decisionAgeMs * environment.factor);
  const verdict = audit({ ...evidence, approvals: await scm.listApprovals() });
  return { violations: describeViolations(verdict.violations), notJudged: describeNotJudged(verdict) };
}

function countWrites(clusters: readonly AuditedCluster[]): number {
  const ours = clusters.flatMap(({ writes }) =>
    writes.filter(({ fieldManager, status }) => fieldManager === "meshroll" && status < 300),
  );
  return ours.length;
}

/** A stop of a run that is over stops nothing any more. */
function listHeld({ stops, runs }: LedgerState): readonly StopRecord[] {
  const over = Object.values(runs).flatMap(({ id, state }) => (state === "open" ? [] : [`run/${id}`]));
  return Object.values(stops).filter(({ resume, scope }) => resume === undefined && !over.includes(scope));
}

function listStopped({ stops }: LedgerState): Readonly<Record<string, string>> {
  const placed = Object.values(stops).filter(({ cause }) => cause === "failures");
  const say = ({ why, resume }: StopRecord): string =>
    resume === undefined ? why : `${why}; resumed by ${resume.who}`;
  return Object.fromEntries(placed.map((stop) => [stop.scope.replace("run/", ""), say(stop)]));
}

function nameBroken({ clusters }: DemoEnvironment): readonly string[] {
  return clusters.flatMap(({ name: cluster, broken }) =>
    broken.map(({ namespace, kind, name }) => `${cluster} ${namespace}/${kind}/${name}`),
  );
}

/** Reads and audits the result after all processes of meshroll have ended. */
export async function readEnding(
  environment: DemoEnvironment,
  clusters: readonly AuditedCluster[],
  tookMs: number,
): Promise<Ending> {
  const ledger = await readLedger(environment);
  const runs = Object.values(ledger.runs).toSorted((a, b) => a.order - b.order);
  // One for the campaign's file, and one for each change of main; converging runs have none.
  const pulls = 1 + runs.filter(({ converge }) => converge === undefined).length;
  const messages = environment.slack.messages(slackChannel).length;
  return {
    runs,
    held: listHeld(ledger),
    stopped: listStopped(ledger),
    brokenBefore: nameBroken(environment),
    told: { messages, comments: await countComments(environment.scm.address, pulls) },
    writes: countWrites(clusters),
    clusters: clusters.length,
    ...(await auditDemo(environment, clusters)),
    rules: Object.keys(rules).length,
    tookMs,
  };
}

/** True when each run is over and the audit passed. */
export function isGood({ runs, violations }: Ending): boolean {
  return violations.length === 0 && runs.length > 0 && runs.every(({ state }) => state !== "open");
}
