import type { MergeDemand, MergeStyle } from "#libs/wording";

import { readStatus } from "../../http/classify.ts";
import { ScmRefused } from "../../port/errors.ts";
import { findMerged } from "../../port/find-merged.ts";
import type { MergeMethod } from "../../port/merge-method.ts";
import type { MergeOutcome, PullRequest, Scm } from "../../port/port.ts";
import type { Wire } from "../calls/wire.ts";
import { readBranchDemands, readBranchRules, readMissingRules } from "./branch-rules.ts";
import { readDemandsIn, listUnmet } from "./list-unmet.ts";
import { readMethods } from "./merge-demands.ts";
import { countBehind, findPullFacts } from "./pull-facts.ts";
import { enqueue, readGroups } from "./queue.ts";

export type { MergeMethod } from "../../port/merge-method.ts";

/** GitHub's message where another merge moved main during ours: the same head is tried again at once. */
const lostRace = /base branch was modified/iu;
/** GitHub's message for a method that the repository or a rule forbids. */
const wrongMethod = /(?:merges?|merge commits) are not allowed|linear history|must not contain merge commits/iu;

/** GitHub's message where only the branch's merge queue may merge. */
const queueOnly = /merge queue/iu;

/** How often a merge is repeated because others were merged meanwhile. */
const mostRaces = 5;

/** Merges a pull request only at the given head. `chosen`: used instead of the first allowed method. */
export function createMerge(
  wire: Wire,
  get: (number: number) => Promise<PullRequest>,
  chosen?: MergeMethod,
): Pick<Scm, "merge" | "missingRules" | "queuedGroups" | "mergeStyle"> {
  const { octokit, call, here } = wire;

  /** One merge request; a refusal has GitHub's own message. */
  async function request(number: number, head: string, method: MergeMethod): Promise<MergeOutcome> {
    try {
      const query = { ...here, pull_number: number, sha: head, merge_method: method };
      const { data } = await octokit.rest.pulls.merge(query);
      if (typeof data.sha === "string") return { kind: "merged", sha: data.sha };
    } catch (error) {
      const answer = readStatus(error);
      if (answer === undefined || ![405, 409, 422].includes(answer.status)) throw error;
      // After a lost answer the second request is refused because the first one worked.
      return findMerged(await get(number), head) ?? { kind: "refused", why: answer.message };
    }
    const found = findMerged(await get(number), head);
    if (found !== undefined) return found;
    throw new ScmRefused(`pull request ${number} is not merged though GitHub said so`, "look at it on GitHub");
  }

  async function outlastRaces(number: number, head: string, method: MergeMethod): Promise<MergeOutcome> {
    for (let race = 1; ; race += 1) {
      const outcome = await request(number, head, method);
      if (outcome.kind !== "refused" || race === mostRaces || !lostRace.test(outcome.why)) return outcome;
    }
  }

  async function listMethods(base: string): Promise<readonly MergeMethod[]> {
    return chosen === undefined ? readMethods(wire, base) : [chosen];
  }

  async function listDemands(why: string, number: number, base: string): Promise<readonly MergeDemand[]> {
    const [rules, pull] = await Promise.all([readBranchDemands(wire, base), findPullFacts(wire, number)]);
    if (pull === undefined) return readDemandsIn(why, []);
    const behindBy = rules.strict ? await countBehind(wire, base, pull.headSha) : 0;
    return listUnmet({ rules, pull, base, behindBy }, why);
  }

  /** Adds which demands of the branch are not met: GitHub's own message often names one of several, or none. */
  async function explain(outcome: MergeOutcome, number: number, base: string): Promise<MergeOutcome> {
    if (outcome.kind !== "refused") return outcome;
    const demands = [...(outcome.demands ?? []), ...(await listDemands(outcome.why, number, base))];
    return demands.length === 0 ? outcome : { ...outcome, demands };
  }

  async function tryMethods(number: number, head: string, base: string): Promise<MergeOutcome> {
    let last: MergeOutcome = { kind: "refused", why: `${base} allows neither merge, squash nor rebase` };
    for (const method of await listMethods(base)) {
      last = await outlastRaces(number, head, method);
      if (last.kind !== "refused" || !wrongMethod.test(last.why)) return last;
    }
    return last;
  }

  /** A ruleset tells everyone of its queue; classic protection has it said by the refusal. */
  async function hasQueue(base: string): Promise<boolean> {
    return (await readBranchRules(wire, base)).some(({ type }) => type === "merge_queue");
  }

  async function mergeOrQueue(pull: PullRequest, head: string, urgent: boolean): Promise<MergeOutcome> {
    const { number, base } = pull;
    const direct = urgent || !(await hasQueue(base)) ? await tryMethods(number, head, base) : undefined;
    if (direct !== undefined && (direct.kind !== "refused" || !queueOnly.test(direct.why))) return direct;
    return findMerged(pull, head) ?? enqueue(wire, number, head, urgent);
  }

  async function merge(number: number, head: string, urgent: boolean): Promise<MergeOutcome> {
    const pull = await get(number);
    return explain(await mergeOrQueue(pull, head, urgent), number, pull.base);
  }

  async function findStyle(base: string): Promise<MergeStyle | undefined> {
    return (await hasQueue(base)) ? "queue" : (await listMethods(base))[0];
  }

  return {
    merge: async (number, head, pace) => call(`merging ${number}`, async () => merge(number, head, pace === "urgent")),
    queuedGroups: async (base) =>
      call(`reading the merge queue of ${base}`, async () => readGroups(wire, base, async () => hasQueue(base))),
    mergeStyle: async (base) => call(`reading how ${base} is merged into`, async () => findStyle(base)),
    missingRules: async (branch) => call(`reading the rules of ${branch}`, async () => readMissingRules(wire, branch)),
  };
}
