import { createRandom } from "#fakes/kube";

/** Names of steps; more likely ones are listed more than once. */
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

/** One step: its kind, two numbers from 0 to 1 that it draws from, and the ms until the next step. */
export interface CampaignStep {
  readonly name: (typeof campaignStepNames)[number] | "breakCampaign" | "repairCampaign";
  readonly a: number;
  readonly b: number;
  readonly ms: number;
}

const pauses = [0, 1000, 7000, 20_000, 45_000, 90_000, 240_000];

/** Kept seeds below this one were found before walks had broken files; their steps must stay the same. */
const firstBreaking = 7_000_000;

/** In every second walk a person merges an error into the campaign's file, and repairs it some steps later. */
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

/** The steps of a walk, determined by its seed. */
export function drawCampaignSteps(seed: string, count: number): readonly CampaignStep[] {
  const random = createRandom(`steps ${seed}`);
  const steps = Array.from({ length: count }, () => {
    const name = campaignStepNames[Math.floor(random() * campaignStepNames.length)] ?? "pass";
    return { name, a: random(), b: random(), ms: pauses[Math.floor(random() * pauses.length)] ?? 0 };
  });
  return addBreak(seed, steps);
}
