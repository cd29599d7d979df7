import { filterHistory } from "#libs/events";
import { findNamed, lookUp } from "#libs/input";
import { Argument } from "commander";

import { findCampaignStatus } from "../../files/find-campaign.ts";
import { type Kind, kindNames } from "../../names/kinds.ts";
import { addPartOptions, checkPart } from "../../names/part-options.ts";
import { requireKnown } from "../../names/unknown-name.ts";
import { addOutputOption } from "../../options/output-option.ts";
import { addReadingOptions, chooseReading, type Reading, type ReadingOptions } from "../../options/reading-options.ts";
import { addFleetOptions } from "../../read/fleet-source.ts";
import { addRepositoryOption } from "../../read/repository.ts";
import { readStatus } from "../../read/status-source.ts";
import { findBus } from "../../read/with-bus.ts";
import { readLedger } from "../../requests/known-stops.ts";
import { printExplanation } from "../../show/explanations/print-explanation.ts";
import { printListing } from "../../show/listing.ts";
import { listStageNames, requireStatusName } from "../../show/rows/require-name.ts";
import { listStages } from "../../show/rows/get-status-rows.ts";
import { readLedgerLog } from "../../show/status/ledger-log.ts";
import { printCampaign } from "../../show/status/print-campaign.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type Terminal, write } from "../../terminal/terminal.ts";
import { chooseProse } from "../../text/wrap-text.ts";
import { readExplanation } from "../explain.ts";
import { listers, type ListOptions, readPart, readRecorded } from "../listing/listers.ts";
import { readSubject } from "../listing/subject.ts";
import { describeRun, type KnownRun } from "./describe-run.ts";
import { describeClusters, describeRows, describeWorkloads } from "./describe-rows.ts";
import { describeStop } from "./describe-stop.ts";
import { type Description, printDescription } from "./description.ts";

interface Options extends ListOptions, ReadingOptions {
  readonly output: "human" | "json";
}

/** The text of one name. */
type Describer = (
  name: string,
  options: ListOptions & ReadingOptions,
  terminal: Terminal,
  reading: Reading,
) => Promise<string>;

function printAll(all: readonly Description[], reading: Reading): string {
  return all.map((each) => printDescription(each, reading)).join("\n\n");
}

async function readHistory(id: string, options: ListOptions, terminal: Terminal): Promise<KnownRun["history"]> {
  try {
    const limit = Number.POSITIVE_INFINITY;
    return filterHistory(await readLedgerLog(options, terminal), { scope: `run/${id}`, limit }).entries;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

export const describeOneRun: Describer = async (name, options, terminal, reading) => {
  const id = findNamed("run", name);
  if (id === undefined) {
    throw new Refusal(exitCodes.usage, `${name} is not a run's id`, [{ command: `meshroll get runs ${name}` }]);
  }
  const recorded = await readRecorded(options, terminal, name);
  const history = await readHistory(id, options, terminal);
  return printDescription(describeRun({ ...recorded, id, history }, reading), reading);
};

/** Stops that the status has, and resumed ones of the ledger. */
const describeHold: Describer = async (id, options, terminal, reading) => {
  const hasSource = findBus(options, terminal) !== undefined || options.kubeconfig !== undefined;
  const ledger = await readLedger(options, terminal);
  const status = hasSource || ledger === undefined ? await readStatus(options, terminal) : undefined;
  const stops = Object.keys(ledger?.stops ?? {});
  requireKnown("stop", id, [...(status?.stops.map((each) => each.id) ?? []), ...stops], "no stop is in force");
  return printDescription(describeStop({ id, status, record: lookUp(ledger?.stops, id) }, reading), reading);
};

/** A campaign as `status` shows it, and its stages. */
const describeCampaign: Describer = async (name, options, terminal, reading) => {
  const { tellAnswers } = await import("#libs/plan");
  const status = await readStatus(options, terminal);
  const campaign = findCampaignStatus(status, name);
  const width = reading.width ?? Number.POSITIVE_INFINITY;
  const stages = printListing(listStages(status, campaign.name), "human", width) ?? "";
  return `${printCampaign(campaign, tellAnswers(campaign), reading)}\n${stages}`;
};

/** A stage by its campaign and its name, or by its name alone. */
const describeStage: Describer = async (name, options, terminal, reading) => {
  const { campaigns = [], ...status } = await readStatus(options, terminal);
  const names = listStageNames(campaigns);
  if (!names.some((each) => each === name || each.endsWith(`/${name}`)))
    requireKnown("stage", name, names, "main has no unfinished campaign");
  return printAll(describeRows(listStages({ ...status, campaigns }, name)), reading);
};

const describeCluster: Describer = async (name, options, terminal, reading) => {
  const status = await readStatus(options, terminal);
  requireStatusName("clusters", name, status);
  const { listClusters } = await import("../../show/rows/get-cluster-rows.ts");
  return printAll(describeClusters(listClusters(status, name), status, reading), reading);
};

/** A namespace as `explain` shows it. */
const describeNamespace: Describer = async (name, options, terminal, reading) => {
  const explained = { ...options, file: "rollouts.yml", output: "human" } as const;
  const explanation = await readExplanation(name, explained, false, terminal);
  const width = reading.width === undefined ? Number.POSITIVE_INFINITY : chooseProse(reading.width);
  return printExplanation(explanation, options, terminal, width);
};

const describers: Readonly<Partial<Record<Kind, Describer>>> = {
  runs: describeOneRun,
  campaigns: describeCampaign,
  stages: describeStage,
  clusters: describeCluster,
  namespaces: describeNamespace,
  workloads: async (name, options, terminal, reading) =>
    printAll(describeWorkloads(await readPart("workloads", options, terminal, name), name, reading), reading),
  holds: describeHold,
  revisions: async (name, options, terminal, reading) =>
    printAll(describeRows(await listers.revisions(options, terminal, name)), reading),
};

const described = Object.keys(describers).join(", ");

async function describe(kind: Kind, name: string | undefined, options: Options, terminal: Terminal): Promise<void> {
  const reading = chooseReading(options, terminal);
  const describer = describers[kind];
  if (describer === undefined || kind === "fleet") {
    const help = [[{ command: `meshroll get ${kind}` }, "  lists them"], `described are: ${described}`] as const;
    throw new Refusal(exitCodes.usage, `${kind} are not described one by one`, ...help);
  }
  if (name === undefined) {
    throw new Refusal(exitCodes.usage, "say which one to describe", [
      { command: `meshroll get ${kind}` },
      "  lists them",
    ]);
  }
  checkPart(kind, options);
  if (options.output === "human") {
    await write(terminal.stdout, await describer(name, options, terminal, reading));
    return;
  }
  const listing = await listers[kind](options, terminal, name);
  await write(terminal.stdout, printListing(listing, "json", Number.POSITIVE_INFINITY) ?? "");
}

/** `meshroll describe KIND NAME`: one thing in full, as `kubectl describe` shows it. */
export const define: Define = (command, { terminal }) => {
  const kind = new Argument("[kind]", "its kind, as get lists them, or KIND/NAME");
  kind.choices(kindNames).argParser((word: string) => word);
  const outputs = ["human", "json"] satisfies [string, ...string[]];
  addReadingOptions(addOutputOption(addPartOptions(addRepositoryOption(addFleetOptions(command))), outputs))
    .addArgument(kind)
    .argument("[name]", "its name")
    .action(async (word: string | undefined, given: string | undefined, options: Options) => {
      if (word === undefined) {
        const help = [[{ command: "meshroll describe KIND NAME" }], `kinds: ${described}`] as const;
        throw new Refusal(exitCodes.usage, "say what to describe", ...help);
      }
      const { kind, name } = readSubject("describe", word, given);
      await describe(kind, name, options, terminal);
    });
};
