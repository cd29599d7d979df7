import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addFleetOptions } from "../read/fleet-source.ts";
import { type FollowEnd, followToEnd, type FollowOptions } from "../watch/follow-campaign.ts";
import { addOutputOption } from "../options/output-option.ts";
import { addReadingOptions } from "../options/reading-options.ts";
import { addRepositoryOption } from "../read/repository.ts";
import type { Watched } from "../watch/watch-transitions.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Whether what is watched has ended. A fleet does not end. */
export function judgeWatch({ campaign }: Watched, isLive: boolean): FollowEnd | undefined {
  if (campaign === undefined) return undefined;
  if (campaign.state === "Completed") return { code: exitCodes.done };
  // A person at a terminal may fix it while watching; a script must be told.
  if (campaign.state !== "Failed" || isLive) return undefined;
  const isGate = campaign.gates.some(({ status }) => status === "fail");
  const why: Sentence = [`campaign ${campaign.name} failed: `, { command: `meshroll status ${campaign.name}` }];
  return { code: isGate ? exitCodes.gateFailed : exitCodes.rolloutFailed, why };
}

/** `meshroll watch [CAMPAIGN]`: a live picture that fits the terminal; in a pipe, the changes. */
export const define: Define = (command, { terminal, finish }) => {
  addReadingOptions(addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json"]))
    .argument("[campaign]", "only this one; it ends when the campaign does")
    .action(async (name: string | undefined, options: FollowOptions) => {
      const following = { judge: judgeWatch, ...(name === undefined ? {} : { campaign: name }) };
      finish(await followToEnd(following, options, terminal));
    });
};
