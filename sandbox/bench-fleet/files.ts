import type { KubeModel } from "#fakes/kube";

/** rollouts.yml whose `production` has this percentage on `new`. */
export function printRollouts(percentNew: number): string {
  return `production:\n  old: ${100 - percentNew}\n  new: ${percentNew}\n`;
}

export function printSettings(batch: string): string {
  return `defaults:\n  strategy: Window\n  batch: { ${batch}, delayBetweenBatches: 0s, failurePolicy: ContinueOnError }\n`;
}

/** Adds Deployments of one pod in the mesh, ten to a namespace. */
export function addApps(model: KubeModel, count: number, readyMs: number): void {
  for (let at = 0; at < count; at++) {
    const ns = `team-${Math.floor(at / 10)}`;
    model.addDeployment({ ns, name: `app-${at % 10}`, labels: { "istio.io/rev": "old" }, readyMs });
  }
}
