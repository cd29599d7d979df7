import { z } from "zod";

import { readBanMs, readStatus } from "./classify.ts";
import type { Check, Forge } from "./port.ts";
import { parseAnswer } from "./pull-request.ts";
import { once, type Wire } from "./wire.ts";

const names = ["meshroll/plan", "meshroll/approvals"] as const;

/** Told apart from somebody else's run of the same name, which is neither read nor changed. */
const externalId = "meshroll";

/** GitHub's own limit for the line of a commit status. */
const statusLength = 140;

const checkRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      external_id: z.string().nullish(),
      status: z.string(),
      conclusion: z.string().nullish(),
      output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }),
    }),
  ),
});

const statuses = z.object({
  statuses: z.array(z.object({ context: z.string(), state: z.string(), description: z.string().nullish() })),
});

interface Standing {
  readonly check: Check;
  /** Of a check run; a commit status is never changed, only followed by another. */
  readonly id?: number;
}

function toState(done: boolean, word: string | null | undefined): Check["state"] {
  if (!done || word === "pending") return "pending";
  if (word === "neutral" || word === "skipped") return "neutral";
  return word === "success" ? "success" : "failure";
}

/** Rights are missing (a personal token may not write check runs) rather than asked too often. */
function isForbidden(error: unknown): boolean {
  const status = readStatus(error)?.status;
  return (status === 403 || status === 404) && readBanMs(error, 0) === undefined;
}

function isSame(a: Check, b: Check): boolean {
  return a.state === b.state && a.title === b.title && a.summary === b.summary;
}

function shorten(title: string): string {
  return title.length <= statusLength ? title : `${title.slice(0, statusLength - 1)}…`;
}

/**
 * Our checks on commits: check runs, which hold the whole table, where the token may write them (a GitHub App's); else
 * commit statuses, one line each. Protection counts both by name.
 */
export function createChecks({ octokit, call, here }: Wire): Pick<Forge, "postCheck" | "findChecks"> {
  let kind: "unknown" | "run" | "status" = "unknown";

  async function readRuns(sha: string, doing: string): Promise<readonly Standing[]> {
    const query = { ...here, ref: sha, filter: "latest", per_page: 100 } as const;
    const { check_runs: runs } = parseAnswer(checkRuns, (await octokit.rest.checks.listForRef(query)).data, doing);
    return names.flatMap((name) => {
      // The greatest id is the newest; an older one of a lost answer does not count any more.
      const ours = runs.filter((run) => run.name === name && run.external_id === externalId);
      const run = ours.toSorted((a, b) => b.id - a.id)[0];
      if (run === undefined) return [];
      const state = toState(run.status === "completed", run.conclusion);
      const { title, summary } = run.output;
      return [{ id: run.id, check: { name, headSha: sha, state, title: title ?? "", summary: summary ?? "" } }];
    });
  }

  async function readStatuses(sha: string, doing: string): Promise<readonly Standing[]> {
    const { data } = await octokit.rest.repos.getCombinedStatusForRef({ ...here, ref: sha, per_page: 100 });
    const found = parseAnswer(statuses, data, doing).statuses;
    return names.flatMap((name) => {
      const status = found.find((entry) => entry.context === name);
      if (status === undefined) return [];
      const state = toState(true, status.state);
      return [{ check: { name, headSha: sha, state, title: status.description ?? "", summary: "" } }];
    });
  }

  async function findChecks(sha: string): Promise<readonly Check[]> {
    const doing = `reading the checks of ${sha.slice(0, 12)}`;
    const runs = await readRuns(sha, doing).catch((error: unknown) => {
      if (isForbidden(error)) return [];
      throw error;
    });
    const others = runs.length === names.length || kind === "run" ? [] : await readStatuses(sha, doing);
    const known = new Set(runs.map(({ check }) => check.name));
    return [...runs, ...others.filter(({ check }) => !known.has(check.name))].map(({ check }) => check);
  }

  async function putRun(check: Check, doing: string): Promise<void> {
    const before = (await readRuns(check.headSha, doing)).find((entry) => entry.check.name === check.name);
    if (before !== undefined && isSame(before.check, check)) return;
    const { title, summary, name, headSha } = check;
    const verdict =
      check.state === "pending" ? ({ status: "in_progress" } as const) : ({ conclusion: check.state } as const);
    const body = { ...here, ...verdict, external_id: externalId, output: { title, summary } };
    if (before?.id === undefined) await octokit.rest.checks.create({ ...body, name, head_sha: headSha, ...once });
    else await octokit.rest.checks.update({ ...body, check_run_id: before.id });
  }

  async function putStatus(check: Check, doing: string): Promise<void> {
    // A status knows no neutral; what is not judged must not be green, so it is pending.
    const state = check.state === "neutral" ? "pending" : check.state;
    const line: Check = { ...check, state, title: shorten(check.title), summary: "" };
    const before = (await readStatuses(check.headSha, doing)).find((entry) => entry.check.name === check.name);
    if (before !== undefined && isSame(before.check, line)) return;
    const body = { ...here, sha: check.headSha, context: check.name, state, description: line.title };
    await octokit.rest.repos.createCommitStatus({ ...body, ...once });
  }

  async function postCheck(check: Check, doing: string): Promise<void> {
    if (kind === "status") return putStatus(check, doing);
    try {
      await putRun(check, doing);
      kind = "run";
    } catch (error) {
      if (kind === "run" || !isForbidden(error)) throw error;
      await putStatus(check, doing);
      // Only now: a repository that cannot be seen at all refuses both, and says nothing about the token's kind.
      kind = "status";
    }
  }

  return {
    findChecks: async (sha) => call(`reading the checks of ${sha.slice(0, 12)}`, async () => findChecks(sha)),
    postCheck: async (check) => {
      const doing = `posting ${check.name} on ${check.headSha.slice(0, 12)}`;
      await call(doing, async () => postCheck(check, doing));
    },
  };
}
