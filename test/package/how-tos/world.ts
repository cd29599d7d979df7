import { openScm, createThrottleGroups } from "#libs/scm";
import { demandReviews } from "#sandbox/github";

import type { FleetBrokers } from "../../integration/fleet/fleet-brokers.ts";
import { tokens } from "../../integration/fleet/people.ts";
import { RealFleet } from "../../integration/fleet/real-fleet.ts";

/** How many times as fast as real time the cluster's clock runs. */
const factor = 30;

// At five percent of production, payments-web moves.
const namespaces = [
  "payments-api",
  "payments-web",
  "growth-api-staging",
  ...["ads", "checkout", "search", "pricing", "maps"].map((each) => `${each}-staging`),
];

/** The fleet that the pages assume: one cluster, two revisions, and a GitHub that requires both checks. */
export async function startWorld(
  brokers: FleetBrokers,
  rollouts: string,
  baseline: "here" | "later",
): Promise<RealFleet> {
  const fleet = new RealFleet(brokers, "one", factor);
  fleet.requiredChecks = ["meshroll/plan", "meshroll/approvals"];
  fleet.reviewRules = demandReviews(Object.keys(tokens));
  for (const name of ["1-24-5", "1-25-2"]) fleet.model.addIstiod(name);
  const labels = { "istio.io/rev": "1-24-5" };
  for (const ns of namespaces) fleet.model.addDeployment({ ns, name: "app", replicas: 2, labels, readyMs: 5_000 });
  const settings = "defaults: { batch: { delayBetweenBatches: 1s } }\n";
  await fleet.start({ "rollouts.yml": rollouts, "meshroll.yml": settings }, baseline);
  return fleet;
}

/** GitHub's environment variables for the planner, and for a person who types `meshroll start`. */
export function describeGithub(fleet: RealFleet, who: keyof typeof tokens): Readonly<Record<string, string>> {
  return {
    MESHROLL_GITHUB_API_URL: fleet.github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: tokens[who],
    MESHROLL_GIT_TOKEN: tokens[who],
    MESHROLL_GITHUB_POLL_SECONDS: "1",
    MESHROLL_SANDBOX_THROTTLE: "10",
  };
}

/** Approves and merges, as ben, the open pull request whose branch is meant, as soon as GitHub allows it. */
export async function approveAndMerge(fleet: RealFleet, isMeant: (branch: string) => boolean): Promise<void> {
  const scm = openScm({
    baseUrl: fleet.github.url,
    owner: "acme",
    repo: "rollouts",
    token: tokens.ben,
    throttle: createThrottleGroups(10),
  });
  const find = async () => (await scm.listOpenPullRequests("main")).find(({ branch }) => isMeant(branch));
  await fleet.until("a pull request for ben", async () => (await find()) !== undefined);
  const pull = await find();
  if (pull === undefined) throw new Error("the pull request was closed before ben saw it");
  const approval = await fetch(`${fleet.github.url}/repos/acme/rollouts/pulls/${pull.number}/reviews`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.ben}` },
    body: JSON.stringify({ event: "APPROVE" }),
  });
  if (!approval.ok) throw new Error(`GitHub took no approval of #${pull.number}: ${approval.status}`);
  const merge = async () => (await scm.merge(pull.number, pull.headSha)).kind !== "refused";
  try {
    await fleet.until(`${pull.branch} is merged`, merge, 60_000, 250);
  } catch (error) {
    const checks = await scm.findChecks(pull.headSha);
    throw new Error(`GitHub does not merge #${pull.number}: ${JSON.stringify(checks)}`, { cause: error });
  }
}

/** Number of namespaces that have a pod of the revision. */
export function countOn({ model }: RealFleet, revision: string): number {
  const pods = namespaces.map((namespace) => model.podsOf({ namespace, kind: "Deployment", name: "app" }));
  return pods.filter((each) => each.some((pod) => pod.revision === revision)).length;
}
