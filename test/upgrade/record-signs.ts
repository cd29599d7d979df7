import type { DemoEnvironment } from "../../sandbox/demo/world/start-world.ts";

/** Signs of work in a snapshot. */
export interface SignRecorder {
  /** Real times of successful writes to workloads and of pushes to the repository, ms, oldest first. */
  readonly signs: readonly number[];
  stop(): void;
}

/** How often pushes are looked for, real ms: a sign is told so much too late at most. */
const reconcileEveryMs = 25;

export function recordSigns({ clusters, github }: DemoEnvironment): SignRecorder {
  const signs: number[] = [];
  for (const { model } of clusters)
    model.onWrite(({ status, path }) => {
      if (status < 300 && path.includes("/apis/apps/")) signs.push(performance.now());
    });
  let pushes = github.pushes.length;
  const timer = setInterval(() => {
    if (github.pushes.length > pushes) signs.push(performance.now());
    pushes = github.pushes.length;
  }, reconcileEveryMs);
  return { signs, stop: () => clearInterval(timer) };
}
