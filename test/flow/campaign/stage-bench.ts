import type { FakeScm } from "#fakes/scm";
import type { PullRequest } from "#libs/scm";

import type { FleetFlow } from "../fleet-flow.ts";
import { makeShop, type ShopOptions } from "../shop.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };

/** A shop with a campaign and GitHub; main requires both checks. */
export interface StageFlow {
  readonly flow: FleetFlow;
  readonly github: FakeScm;
  /** All branches of stages so far, the newest last. */
  readonly listPulls: () => Promise<readonly string[]>;
  /** The newest pull request of a branch. */
  readonly find: (branch: string) => Promise<PullRequest>;
  /** Ben approves and ana merges; returns the run's id. */
  readonly approve: (branch: string) => Promise<string>;
  /** Like `approve`, and resolves when the run is over. */
  readonly merge: (branch: string) => Promise<string>;
  readonly untilOpen: (branch: string) => Promise<PullRequest>;
  /** Codes of what status says the campaign waits for. */
  readonly waits: () => Promise<readonly string[]>;
}

export async function openStages(campaign = campaignOf(), options: ShopOptions = {}): Promise<StageFlow> {
  const flow = await makeShop(options);
  flow.whenCampaignMerged({ [campaignFile]: campaign });
  const github = flow.givenGithub(protection);
  await flow.startExecutor().startPlanner().pass(30_000);
  const ana = github.as("ana");
  const branches = ["half", "half-2", "half-3", "all", "all-2"].map((name) => `meshroll/shop/${name}`);

  async function find(branch: string): Promise<PullRequest> {
    const [pull] = await ana.findPullRequests(branch);
    if (pull === undefined) throw new Error(`no pull request of ${branch}`);
    return pull;
  }

  async function untilOpen(branch: string): Promise<PullRequest> {
    await flow.until(`a pull request of ${branch}`, async () => {
      return (await ana.findPullRequests(branch)).some(({ state }) => state === "open");
    });
    return find(branch);
  }

  /** Returns the run's id. */
  async function approve(branch: string): Promise<string> {
    const { number } = await untilOpen(branch);
    await flow.pass(31_000);
    github.review(number, { author: "ben", state: "approved" });
    await flow.pass(31_000);
    const { headSha } = await find(branch);
    const outcome = await ana.merge(number, headSha);
    if (outcome.kind !== "merged") throw new Error(`${branch}: ${JSON.stringify(outcome)}`);
    return outcome.sha.slice(0, 12);
  }

  return {
    flow,
    github,
    find,
    untilOpen,
    approve,
    async listPulls() {
      const found = await Promise.all(branches.map(async (branch) => ana.findPullRequests(branch)));
      const sorted = found.flat().toSorted((a, b) => a.number - b.number);
      return sorted.map(({ branch, state }) => `${branch.replace("meshroll/shop/", "")} ${state}`);
    },
    async merge(branch) {
      const run = await approve(branch);
      await flow.until(`run ${run} of ${branch} is over`, async () => {
        return (await flow.runs()).some(({ id, state }) => id === run && state !== "open");
      });
      return run;
    },
    async waits() {
      const status = await flow.status();
      const own = status?.waiting.filter(({ scope }) => scope === "campaign/shop") ?? [];
      return [...new Set(own.map(({ code }) => code))];
    },
  };
}
