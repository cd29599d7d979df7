import type { Scm, PullRequest } from "#libs/scm";

import { createDashboard } from "./dashboard.ts";
import type { Sink, ReceivedEvent } from "../delivery/sink.ts";
import { NotHeld, deliverEach } from "../delivery/deliver-each.ts";
import { digestOf } from "../facts/digest.ts";
import type { Environments } from "./environments.ts";
import type { NotifyStore } from "../facts/notify-store.ts";
import { dateReport, type RateLimiter } from "../delivery/rate-limiter.ts";
import { type DeploymentPlan, planDeployments } from "./plan-deployments.ts";
import { renderComment } from "../render/github/comment.ts";
import type { RunStore } from "../facts/run-store.ts";

/** Marks our one comment; invisible to people. */
const marker = "<!-- meshroll:status -->";

const mostKnown = 200;

/** Sets an entry of a map that drops its oldest entries. */
function setBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > mostKnown && oldest !== undefined) map.delete(oldest);
}

export interface GithubSinkParts {
  readonly scm: Scm;
  readonly runs: RunStore;
  readonly rules: NotifyStore;
  readonly rateLimiter: RateLimiter;
  readonly environments: Environments;
}

/** Messages that may change a run's deployments. */
const ofDeployments: readonly string[] = [
  "run.v1.started",
  "run.v1.waveOpened",
  "run.v1.done",
  "batch.v1.handedOut",
  "workload.v1.failed",
];

function readRun({ event }: ReceivedEvent): string | undefined {
  const { type, data } = event;
  return ofDeployments.includes(type) && "run" in data ? data.run : undefined;
}

/** Shows a run's deployments; a state that this process has set already causes no request. */
function createDeployments({ scm, runs, environments }: GithubSinkParts) {
  const set = new Map<string, string>();

  async function show(commit: string, { cluster, state, description }: DeploymentPlan, isOver: boolean): Promise<void> {
    const key = `${commit} ${cluster}`;
    const wanted = `${state} ${description}`;
    if (set.get(key) === wanted) return;
    await scm.showDeployment({ sha: commit, environment: cluster, state, description });
    // From now on the cluster runs this commit, so the deployment before it becomes inactive.
    if (isOver && state !== "inactive") await retire(cluster, commit);
    setBounded(set, key, wanted);
  }

  async function retire(cluster: string, commit: string): Promise<void> {
    const before = await environments.succeed(cluster, commit);
    if (before === undefined) return;
    const description = `followed by ${commit.slice(0, 12)}`;
    await scm.showDeployment({ sha: before, environment: cluster, state: "inactive", description });
  }

  return async (run: string, isHeld: () => boolean): Promise<void> => {
    const { facts } = runs.report(run);
    // The run started before this process, and the status does not name its commit; the message of its end does.
    if (facts.commit === undefined) return;
    const { commit, end } = facts;
    await deliverEach(planDeployments(facts, runs.progress(run)), async (plan) => {
      if (!isHeld()) throw new NotHeld("another notifier has the message: it goes on");
      await show(commit, plan, end !== undefined);
    });
  };
}

/** How often the pull request of a commit is looked for while its run is open, and after its end. */
const mostLookups = 3;

/** The status comments of merged pull requests, edited in place. */
function createCommentWriter({ scm, runs, rateLimiter }: GithubSinkParts) {
  const pulls = new Map<string, PullRequest>();
  const lookups = new Map<string, number>();
  const shown = new Map<string, string>();

  /** A direct push has none. GitHub may find a merge's only after a while: it is looked for again, and at the run's end. */
  async function findPull(commit: string, isDone: boolean): Promise<PullRequest | undefined> {
    const known = pulls.get(commit);
    const phase = `${commit} ${isDone ? "done" : "open"}`;
    const tries = lookups.get(phase) ?? 0;
    if (known !== undefined || tries >= mostLookups) return known;
    setBounded(lookups, phase, tries + 1);
    const found = await scm.findByMergeCommit(commit);
    if (found !== undefined) setBounded(pulls, commit, found);
    return found;
  }

  return async (run: string): Promise<void> => {
    const report = runs.report(run);
    const { commit } = report.facts;
    const body = renderComment(report);
    const digest = digestOf(body);
    if (commit === undefined || shown.get(run) === digest) return;
    const pull = await findPull(commit, report.facts.end !== undefined);
    // A direct push has no pull request to comment on.
    if (pull === undefined) return;
    const key = `github.${run}`;
    const outcome = await rateLimiter.claim({ key, digest, ...dateReport(report) });
    if (outcome === "later") return;
    if (outcome === "ours") {
      try {
        await scm.putComment(pull.number, marker, `${marker}\n${body}`);
      } catch (error) {
        await rateLimiter.release(key);
        throw error;
      }
    }
    setBounded(shown, run, digest);
  };
}

/**
 * Posts to GitHub: a comment on the merged pull request, a deployment of its commit to each cluster, and the dashboard issue.
 */
export function createGithubSink(parts: GithubSinkParts): Sink {
  const showDeployments = createDeployments(parts);
  const writeComment = createCommentWriter(parts);
  const showDashboard = createDashboard(parts);
  return {
    name: "github",
    async deliver(received) {
      const run = readRun(received);
      if (run === undefined) return;
      if (parts.rules.ofRun(run).github.deployments) await showDeployments(run, received.isHeld);
      // The final state is not delayed by the rate limit.
      if (received.event.type === "run.v1.done") await writeComment(run);
    },
    async refresh() {
      const comments = parts.runs.list().map((run) => async () => writeComment(run));
      await deliverEach([...comments, showDashboard], async (write) => write());
    },
  };
}
