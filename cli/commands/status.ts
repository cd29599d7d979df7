import type { FleetStatus } from "#libs/plan";

import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addFleetOptions } from "../read/fleet-source.ts";
import { findCampaignStatus } from "../files/find-campaign.ts";
import { addOutputOption } from "../options/output-option.ts";
import { printSail } from "../show/status/print-sail.ts";
import { printCampaign } from "../show/status/print-campaign.ts";
import { printStatus } from "../show/status/print-status.ts";
import { addReadingOptions, chooseReading, type ReadingOptions, type Reading } from "../options/reading-options.ts";
import { isCurrent } from "../read/read-published.ts";
import { addRepositoryOption } from "../read/repository.ts";
import { readLocalEvaluation, readStatus, type StatusOptions } from "../read/status-source.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { followStatus } from "../watch/watch-status.ts";

interface Options extends StatusOptions, ReadingOptions {
  readonly output: "human" | "json" | "sail";
  readonly watch?: boolean;
}

/** The fleet, or one campaign, in the words of every surface. */
async function printHuman(status: FleetStatus, name: string | undefined, reading: Reading): Promise<string> {
  const { tellAnswers } = await import("#libs/plan");
  if (name === undefined) return printStatus(status, tellAnswers(status), reading);
  const campaign = findCampaignStatus(status, name);
  return printCampaign(campaign, tellAnswers(campaign), reading);
}

/** The object of the moment, with its five answers in words next to the fields that they were made of. */
async function pickObject(status: FleetStatus, name: string | undefined): Promise<object> {
  const { printPlainAnswers, tellAnswers } = await import("#libs/plan");
  const object = name === undefined ? status : findCampaignStatus(status, name);
  return { ...object, answers: printPlainAnswers(tellAnswers(object)) };
}

async function writeSail(name: string | undefined, options: Options, terminal: Terminal): Promise<void> {
  const view = await readLocalEvaluation(options, terminal);
  await write(terminal.stdout, await printSail(view, name));
}

/** `meshroll status [CAMPAIGN]`: the five answers, from the planner or computed from file and clusters. */
export const define: Define = (command, { terminal, finish }) => {
  addReadingOptions(addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json", "sail"]))
    .argument("[campaign]", "only this one, in detail")
    .option("-w, --watch", "print it again whenever it changes")
    .action(async (name: string | undefined, options: Options) => {
      const reading = chooseReading(options, terminal);
      if (options.output === "sail") {
        await writeSail(name, options, terminal);
        return;
      }
      const isJson = options.output === "json";
      if (options.watch === true) {
        await followStatus(async () => readStatus(options, terminal), terminal, {
          print: async (status) => (isJson ? "" : printHuman(status, name, reading)),
          pick: async (status) => pickObject(status, name),
          output: isJson ? "json" : "human",
        });
        return;
      }
      const status = await readStatus(options, terminal);
      const printed = isJson
        ? `${JSON.stringify(await pickObject(status, name), undefined, 2)}\n`
        : await printHuman(status, name, reading);
      await write(terminal.stdout, printed);
      if (!isCurrent(status)) finish(exitCodes.unavailable);
    });
};
