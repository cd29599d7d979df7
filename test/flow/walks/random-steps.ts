import { createRandom } from "#fakes/kube";

/** Kinds of steps; each uses up to three numbers from 0 to 1, so that a walk is plain data and can be shortened. */
export const stepNames = [
  "mergePercent",
  "mergePercent",
  "mergePercent",
  "mergeBack",
  "mergeSecondBucket",
  "mergeComment",
  "mergeUnparsable",
  "stop",
  "stop",
  "resume",
  "resume",
  "retry",
  "rollback",
  "rollbackNow",
  "rollbackNow",
  "killPlanner",
  "killExecutor",
  "secondPlanner",
  "wipeBus",
  "flushQueue",
  "wipeBoth",
  "refusePushes",
  "takePushes",
  "breakWorkload",
  "breakWorkload",
  "fixWorkloads",
  "faultOfApi",
  "kubectlStop",
  "kubectlResume",
  "ownerDeploys",
  "ownerWritesBack",
  "recreate",
  "pass",
  "pass",
  "pass",
] as const;

/** One step: its kind, numbers that it draws from, and the ms until the next step. */
export interface Step {
  readonly name: (typeof stepNames)[number];
  readonly a: number;
  readonly b: number;
  readonly ms: number;
}

/** The steps of a walk, determined by its seed. */
export function drawSteps(seed: string, count: number): readonly Step[] {
  const random = createRandom(seed);
  const pauses = [0, 300, 1000, 3000, 7000, 15_000, 30_000, 90_000, 240_000];
  return Array.from({ length: count }, () => {
    const name = stepNames[Math.floor(random() * stepNames.length)] ?? "pass";
    return { name, a: random(), b: random(), ms: pauses[Math.floor(random() * pauses.length)] ?? 0 };
  });
}
