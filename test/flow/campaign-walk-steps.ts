import { createRandom } from "#fakes/kube";

/** What may happen to a campaign; what is likely stands there more than once. */
const campaignStepNames = [
  "mergeStage",
  "mergeStage",
  "mergeStage",
  "mergeStage",
  "mergeStage",
  "mergeStage",
  "closeStage",
  "pushToBranch",
  "editShares",
  "editShares",
  "editCampaign",
  "editCampaign",
  "supersede",
  "deleteCampaign",
  "finishCampaign",
  "putCampaignBack",
  "stop",
  "stop",
  "lift",
  "lift",
  "retry",
  "rollback",
  "rollbackNow",
  "killPlanner",
  "killExecutor",
  "secondPlanner",
  "wipeBoth",
  "faultOfApi",
  "faultOfGithub",
  "faultOfGit",
  "clusterGoes",
  "clusterComes",
  "clusterAside",
  "clusterJoins",
  "breakWorkload",
  "breakWorkload",
  "mendWorkloads",
  "ownerDeploys",
  "recreate",
  "remove",
  "namespaceLate",
  "measureBad",
  "forcePush",
  "pass",
  "pass",
  "pass",
  "pass",
] as const;

/** One step: what, how, and how long until the next, ms. */
export interface CampaignStep {
  readonly name: (typeof campaignStepNames)[number];
  readonly a: number;
  readonly b: number;
  readonly ms: number;
}

/** A walk is its seed: the same steps each time. */
export function drawCampaignSteps(seed: string, count: number): readonly CampaignStep[] {
  const random = createRandom(`steps ${seed}`);
  const pauses = [0, 1000, 7000, 20_000, 45_000, 90_000, 240_000];
  return Array.from({ length: count }, () => {
    const name = campaignStepNames[Math.floor(random() * campaignStepNames.length)] ?? "pass";
    return { name, a: random(), b: random(), ms: pauses[Math.floor(random() * pauses.length)] ?? 0 };
  });
}
