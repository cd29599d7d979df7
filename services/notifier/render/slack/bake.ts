import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "../../facts/group.ts";
import { printDuration } from "../duration.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, printMrkdwnTime } from "../mrkdwn.ts";

type Bake = EventData<"runBake">;

/** A bake began, or is over. */
export function renderBake({ step, neededMs, healthyMs }: Bake): Content {
  const text =
    step === "over"
      ? `Baked: its workloads were seen healthy for ${printDuration(healthyMs)}.`
      : `Baking: it needs ${printDuration(neededMs)} in which its workloads are seen healthy.`;
  const icon = step === "over" ? ":bread:" : ":hourglass_flowing_sand:";
  return { text, blocks: [{ kind: "section", text: `${icon} ${text}` }] };
}

/** One interruption of a bake: its reason, and the progress so far. */
export function renderBakePause({ why, healthyMs, neededMs }: Bake, at: string): string {
  const far = `${printDuration(healthyMs)} of ${printDuration(neededMs)}`;
  return `${printMrkdwnTime(at)}, at ${far}: ${escapeMrkdwn(why ?? "not seen healthy", 200)}`;
}

/** Interruptions of a bake: its progress stays, and it continues by itself. */
export function renderBakePauses(group: Group): Content {
  const title = "The bake is interrupted; it continues once all is seen healthy";
  const lines = [`:hourglass: *${title}*`, ...listGroup(group)];
  return { text: `${title}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
