import type { FleetStatus } from "#libs/plan";

import { deploysStage } from "../world/files.ts";
import { findCampaign, findStageRun } from "../story/story.ts";
import { type DemoContext, until } from "./demo-context.ts";
import { deploy, type OwnedWorkload } from "./deploy-as-owners.ts";

/** So many workloads are put back by an old manifest. */
const putBack = 3;

function runsTarget({ cluster, ref }: OwnedWorkload): boolean {
  const pods = cluster.model.podsOf(ref);
  return pods.length > 0 && pods.every((pod) => pod.revision === "1-25-2");
}

/** The stage's run is over. */
function isDone(status: FleetStatus): boolean {
  const stage = findCampaign(status)?.stages.find(({ name }) => name === deploysStage);
  return stage?.run !== undefined && findStageRun(status, deploysStage) === undefined;
}

/** An owner applies a manifest with the old label after the run is over; `drift: converge` brings the workloads back. */
export async function putBackByOwner(context: DemoContext, deployed: readonly OwnedWorkload[]): Promise<void> {
  const { display, suggester } = context;
  await until(context, "the end of the first stage", (status) => isDone(status) || suggester.isOver(status));
  const chosen = deployed.filter(runsTarget).slice(0, putBack);
  for (const each of chosen) deploy(each, "1-24-5", 3);
  const names = chosen.map(({ ref }) => `${ref.namespace}/${ref.kind}/${ref.name}`).join(", ");
  display.say(`an owner applies last month's manifests, with the old label: ${names}`);
  const untilSeen = async (what: string, isTrue: () => boolean): Promise<unknown> =>
    until(context, what, (status) => isTrue() || suggester.isOver(status));
  await untilSeen("the owner's rollout", () => chosen.every((each) => !runsTarget(each)));
  await untilSeen("drift that goes away", () => chosen.every(runsTarget));
  display.say("drift: converge brought them back: once, in a batch, after the owner's rollout had finished");
}
