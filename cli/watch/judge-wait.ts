import type { CampaignStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { exitCodes } from "../terminal/exit-codes.ts";
import type { FollowEnd } from "./follow-campaign.ts";
import { refuseUnknown } from "../names/unknown-name.ts";
import { Refusal } from "../terminal/refusal.ts";

/** The condition that is waited for, of a stage or of the campaign. */
export interface WaitCondition {
  readonly stage?: string;
  readonly state: "Baked" | "Completed" | "Held";
}

const states = ["Baked", "Completed", "Held"] as const;

/** Reads `stage=prod-25=Baked`, `Completed` or `Held`. */
export function parseCondition(text: string): WaitCondition {
  const [, stage, word] = /^(?:stage=([^=]+)=)?([A-Za-z]+)$/u.exec(text) ?? [];
  const state = states.find((each) => each.toLowerCase() === word?.toLowerCase());
  if (state === undefined || (stage === undefined && state === "Baked")) {
    throw new Refusal(
      exitCodes.usage,
      `--for ${text} is not a condition`,
      "say stage=NAME=Baked, stage=NAME=Completed, Completed or Held",
    );
  }
  return { state, ...(stage === undefined ? {} : { stage }) };
}

function isMet(campaign: CampaignStatus, { stage: name, state }: WaitCondition): boolean {
  const stages = name === undefined ? campaign.stages : campaign.stages.filter((stage) => stage.name === name);
  switch (state) {
    case "Held":
      return stages.some((stage) => stage.state === "Held");
    case "Baked":
      return stages.every(({ baked }) => baked);
    case "Completed":
      return name === undefined ? campaign.state === "Completed" : stages.every((stage) => stage.state === "Completed");
  }
}

/** Why the condition cannot come true without a person; undefined while it can. */
function findEnd(campaign: CampaignStatus, { stage: name }: WaitCondition): FollowEnd | undefined {
  const failed = campaign.stages.find(({ state }) => state === "Failed");
  if (failed !== undefined) {
    const gate = campaign.gates.find(({ status }) => status === "fail");
    if (gate !== undefined)
      return {
        code: exitCodes.gateFailed,
        why: `gate ${gate.name} of ${failed.name} failed: ${gate.why === undefined ? "" : printText(gate.why)}`,
      };
    return {
      code: exitCodes.rolloutFailed,
      why: [`stage ${failed.name} failed: `, { command: `meshroll get failures ${campaign.name}` }],
    };
  }
  const back = campaign.stages.find((stage) => stage.name === name && stage.state === "RolledBack");
  if (back !== undefined) return { code: exitCodes.rolloutFailed, why: `stage ${back.name} was rolled back` };
  const held = campaign.stages.find(({ state }) => state === "Held");
  if (held === undefined) return undefined;
  const [stop] = campaign.stops;
  return {
    code: exitCodes.stopped,
    why:
      stop === undefined
        ? `stage ${held.name} is held`
        : [`stage ${held.name} is held: ${stop.why}  `, { command: stop.command }],
  };
}

/** Refuses an unknown stage, which would be waited for in vain. */
function checkStage(campaign: CampaignStatus, { stage }: WaitCondition): void {
  if (stage === undefined || campaign.stages.some(({ name }) => name === stage)) return;
  const names = campaign.stages.map(({ name }) => name);
  throw refuseUnknown("stage", stage, names);
}

/** Whether the wait ends, and how: 0 when the condition holds, 80 to 82 when it cannot come true by itself. */
export function judgeWait(campaign: CampaignStatus, condition: WaitCondition): FollowEnd | undefined {
  checkStage(campaign, condition);
  if (isMet(campaign, condition)) return { code: exitCodes.done };
  return condition.state === "Held" ? undefined : findEnd(campaign, condition);
}
