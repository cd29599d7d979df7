import type { FleetStatus, StatusOfCluster, ToldAnswers } from "#libs/plan";
import { type TextLine, writeLine } from "#libs/wording";
import { type Command, Option } from "commander";

import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addFleetOptions } from "../read/fleet-source.ts";
import { findCampaignStatus } from "../files/find-campaign.ts";
import { findRunTyped } from "../options/parse-scope.ts";
import { addOutputOption } from "../options/output-option.ts";
import { type IdleFlags, refuseIdle } from "../session/idle-flags.ts";
import { requireKnown } from "../names/unknown-name.ts";
import { printListing } from "../show/listing.ts";
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
  readonly cluster?: string;
}

/** The requested part: a campaign, a cluster, or all. */
interface Part {
  readonly campaign: string | undefined;
  readonly cluster: string | undefined;
}

/** Shares are of namespaces over all clusters: one cluster has none of its own. */
const whereOfFleet: TextLine = { ...writeLine("shares are counted over all clusters"), command: "meshroll status" };

async function narrow(status: FleetStatus, name: string): Promise<{ status: StatusOfCluster; answers: ToldAnswers }> {
  const { narrowToCluster, tellAnswers } = await import("#libs/plan");
  const names = status.clusters.map((each) => each.name);
  requireKnown("cluster", name, names);
  const own = status.clusters.find((each) => each.name === name);
  if (own === undefined) throw new Error(`cluster ${name} is known and not there`);
  const narrowed = narrowToCluster(status, own);
  return { status: narrowed, answers: { ...tellAnswers(narrowed), where: [whereOfFleet] } };
}

/** The fleet or one campaign, in the words of all surfaces. */
async function printHuman(status: FleetStatus, { campaign: name, cluster }: Part, reading: Reading): Promise<string> {
  const { tellAnswers } = await import("#libs/plan");
  if (cluster !== undefined) {
    const narrowed = await narrow(status, cluster);
    return printStatus(narrowed.status, narrowed.answers, reading);
  }
  if (name === undefined) return printStatus(status, tellAnswers(status), reading);
  const campaign = findCampaignStatus(status, name);
  return printCampaign(campaign, tellAnswers(campaign), reading);
}

/** The status as an object, with the five answers in words. */
async function pickObject(status: FleetStatus, { campaign: name, cluster }: Part): Promise<object> {
  const { printPlainAnswers, tellAnswers } = await import("#libs/plan");
  if (cluster !== undefined) {
    const narrowed = await narrow(status, cluster);
    return { ...narrowed.status, answers: printPlainAnswers(narrowed.answers) };
  }
  const object = name === undefined ? status : findCampaignStatus(status, name);
  return { ...object, answers: printPlainAnswers(tellAnswers(object)) };
}

async function writeSail(name: string | undefined, options: Options, terminal: Terminal): Promise<void> {
  const view = await readLocalEvaluation(options, terminal);
  await write(terminal.stdout, await printSail(view, name));
}

/** A run as `describe` shows it. */
async function writeRun(name: string, options: Options, reading: Reading, terminal: Terminal): Promise<void> {
  const { describeOneRun } = await import("./describe/describe.ts");
  const { listers } = await import("./listing/listers.ts");
  const { cluster: _, ...asked } = options;
  const printed =
    options.output === "json"
      ? printListing(await listers.runs(asked, terminal, name), "json", Number.POSITIVE_INFINITY)
      : await describeOneRun(name, asked, terminal, reading);
  await write(terminal.stdout, printed ?? "");
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["watch", "output"],
    when: ({ output, watch }, [name = ""]) => findRunTyped(name) !== undefined && (watch === true || output === "sail"),
    because: "would do nothing here: a run is printed once, for people or as JSON",
    fix: [{ command: "meshroll watch" }],
  },
  {
    flags: ["watch", "plain", "tz"],
    when: ({ output }) => output === "sail",
    because: "with -o sail would do nothing: it prints objects, once",
  },
  {
    flags: ["cluster"],
    when: ({ output }, [campaign]) => output === "sail" || campaign !== undefined,
    because:
      "is for the status of the fleet: a campaign's figures cover all its clusters, and -o sail prints each cluster",
    fix: ["one cluster alone:  ", { command: "meshroll status --cluster NAME" }],
  },
  {
    flags: ["namespace"],
    when: () => true,
    because: "is not an option of status",
    fix: ["one namespace alone:  ", { command: "meshroll explain NAMESPACE" }],
  },
];

function addStatusOptions(command: Command): Command {
  // Declared only to be refused with the command that answers it.
  const namespace = new Option("-n, --namespace <name>", "see explain").hideHelp();
  const outputs = ["human", "json", "sail"] satisfies [string, ...string[]];
  return addReadingOptions(addOutputOption(addRepositoryOption(addFleetOptions(command)), outputs))
    .option("--cluster <name>", "only this cluster: its counts, its waits, and its share of the open runs")
    .addOption(namespace);
}

/** `meshroll status [CAMPAIGN]`: the five answers, from the planner or computed from file and clusters. */
export const define: Define = (command, { terminal, finish }) => {
  refuseIdle(addStatusOptions(command), idle)
    .argument("[campaign]", "only this one, in detail; or run/ID")
    .option("-w, --watch", "print it again whenever it changes")
    .action(async (name: string | undefined, options: Options) => {
      const reading = chooseReading(options, terminal);
      if (options.output === "sail") {
        await writeSail(name, options, terminal);
        return;
      }
      const run = name === undefined ? undefined : findRunTyped(name);
      if (run !== undefined) {
        await writeRun(`run/${run}`, options, reading, terminal);
        return;
      }
      const part: Part = { campaign: name, cluster: options.cluster };
      const isJson = options.output === "json";
      if (options.watch === true) {
        await followStatus(async () => readStatus(options, terminal), terminal, {
          print: async (status) => (isJson ? "" : printHuman(status, part, reading)),
          pick: async (status) => pickObject(status, part),
          output: isJson ? "json" : "human",
        });
        return;
      }
      const status = await readStatus(options, terminal);
      const printed = isJson
        ? `${JSON.stringify(await pickObject(status, part), undefined, 2)}\n`
        : await printHuman(status, part, reading);
      await write(terminal.stdout, printed);
      if (!isCurrent(status)) finish(exitCodes.unavailable);
    });
};
