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
  "deleteCampaign",
  "finishCampaign",
  "putCampaignBack",
  "stop",
  "stop",
  "resume",
  "resume",
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
  "clusterExcluded",
  "clusterJoins",
  "breakWorkload",
  "breakWorkload",
  "fixWorkloads",
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
  readonly name: (typeof campaignStepNames)[number] | "breakCampaign" | "repairCampaign";
  readonly a: number;
  readonly b: number;
  readonly ms: number;
}

const pauses = [0, 1000, 7000, 20_000, 45_000, 90_000, 240_000];

/** Seeds below played without broken files when they were kept, and play the same for ever. */
const firstBreaking = 7_000_000;

/** In each second walk a person merges an error into the campaign's file, which is put right some steps later. */
function addBreak(seed: string, steps: readonly CampaignStep[]): readonly CampaignStep[] {
  const random = createRandom(`breaks ${seed}`);
  if (Number(seed) < firstBreaking || random() < 0.5) return steps;
  const at = Math.floor(random() * steps.length);
  const until = at + 1 + Math.floor(random() * 4);
  const ms = pauses[Math.floor(random() * pauses.length)] ?? 0;
  const [breaking, repair] = [
    { name: "breakCampaign", a: random(), b: 0, ms },
    { name: "repairCampaign", a: 0, b: 0, ms: 7000 },
  ] as const;
  return [...steps.slice(0, at), breaking, ...steps.slice(at, until), repair, ...steps.slice(until)];
}

/** A walk is its seed: the same steps each time. */
export function drawCampaignSteps(seed: string, count: number): readonly CampaignStep[] {
  const random = createRandom(`steps ${seed}`);
  const steps = Array.from({ length: count }, () => {
    const name = campaignStepNames[Math.floor(random() * campaignStepNames.length)] ?? "pass";
    return { name, a: random(), b: random(), ms: pauses[Math.floor(random() * pauses.length)] ?? 0 };
  });
  return addBreak(seed, steps);
}
