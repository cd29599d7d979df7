import { parseDuration } from "#libs/campaign";
import { InvalidArgumentError } from "commander";

import type { Define } from "../terminal/command.ts";
import { addFleetOptions } from "../read/fleet-source.ts";
import { followToEnd, type FollowOptions } from "../watch/follow-campaign.ts";
import { judgeWait, parseCondition } from "../watch/judge-wait.ts";
import { addOutputOption } from "../options/output-option.ts";
import { addReadingOptions } from "../options/reading-options.ts";
import { addRepositoryOption } from "../read/repository.ts";

interface Options extends FollowOptions {
  readonly for: string;
  readonly timeout: number;
}

function readTimeout(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0) throw new InvalidArgumentError("say a time as 30s, 20m or 3h");
  return ms;
}

const threeHours = 3 * 3_600_000;

/** `meshroll wait CAMPAIGN --for CONDITION`: for CI. */
export const define: Define = (command, { terminal, finish }) => {
  addReadingOptions(addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json"]))
    .argument("<campaign>", "its name")
    .option(
      "--for <condition>",
      "stage=NAME=Baked, stage=NAME=Completed, stage=NAME=Held, Completed or Held",
      "Completed",
    )
    .option("--timeout <time>", "ends with 8 after 30s, 20m, 3h of real time (default: 3h)", readTimeout, threeHours)
    .addHelpText(
      "after",
      "\nEnds with 0 when it is so, 8 when the time is over, 80 failed, 81 held or paused, 82 a gate failed.",
    )
    .action(async (campaign: string, options: Options) => {
      const condition = parseCondition(options.for);
      const judge = ({ campaign: status }: { readonly campaign?: Parameters<typeof judgeWait>[0] }) =>
        status === undefined ? undefined : judgeWait(status, condition);
      finish(await followToEnd({ campaign, judge, timeoutMs: options.timeout }, options, terminal));
    });
};
