import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addFleetOptions } from "../read/fleet-source.ts";
import { type FollowEnd, followToEnd, type FollowOptions } from "../watch/follow-campaign.ts";
import { addOutputOption } from "../options/output-option.ts";
import { addReadingOptions } from "../options/reading-options.ts";
import { addRepositoryOption } from "../read/repository.ts";
import type { Watched } from "../watch/watch-transitions.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Where what is watched has come to its end. A fleet has none. */
export function judgeWatch({ campaign }: Watched, isLive: boolean): FollowEnd | undefined {
  if (campaign === undefined) return undefined;
  if (campaign.state === "Completed") return { code: exitCodes.done };
  // A person at a terminal looks on, and may fix it; a script has to be told.
  if (campaign.state !== "Failed" || isLive) return undefined;
  const isGate = campaign.gates.some(({ status }) => status === "fail");
  const why: Sentence = [`campaign ${campaign.name} failed: `, { command: `meshroll status ${campaign.name}` }];
  return { code: isGate ? exitCodes.gateFailed : exitCodes.rolloutFailed, why };
}

/** `meshroll watch [CAMPAIGN]`: a live picture that never outgrows the terminal; piped, what changes. */
export const define: Define = (command, { terminal, finish }) => {
  addReadingOptions(addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json"]))
    .argument("[campaign]", "only this one; it ends when the campaign does")
    .action(async (name: string | undefined, options: FollowOptions) => {
      const following = { judge: judgeWatch, ...(name === undefined ? {} : { campaign: name }) };
      finish(await followToEnd(following, options, terminal));
    });
};
