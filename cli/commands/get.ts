import { findNamed } from "#libs/input";
import { Argument } from "commander";

import type { Define } from "../terminal/command.ts";
import { printSnapshot } from "../read/fleet-snapshot.ts";
import { addFleetOptions, readFleet } from "../read/fleet-source.ts";
import { listFailures, listNamespaces, listWorkloads } from "../show/rows/get-fleet-rows.ts";
import { listRevisions } from "../show/rows/get-revision-rows.ts";
import { listRuns } from "../show/rows/get-run-rows.ts";
import { listBatches, listCampaigns, listHolds, listStages } from "../show/rows/get-status-rows.ts";
import { readLedger } from "../verbs/known-stops.ts";
import { type Listing, type ListingFormat, printListing } from "../show/listing.ts";
import { addOutputOption } from "../options/output-option.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addRepositoryOption } from "../read/repository.ts";
import { type LocalEvaluation, readLocalEvaluation, readStatus, type StatusOptions } from "../read/status-source.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";
import { findBus } from "../read/with-bus.ts";

interface Options extends StatusOptions {
  readonly output: ListingFormat;
}

/** How each kind is listed: from the planner's status, or from file, ledger and inventory. */
type Lister = (options: Options, terminal: Terminal, name: string | undefined) => Promise<Listing>;

type StatusLister = (status: Awaited<ReturnType<typeof readStatus>>, name: string | undefined) => Listing;

function fromStatus(list: StatusLister): Lister {
  return async (options, terminal, name) => list(await readStatus(options, terminal), name);
}

function fromFleet(list: (view: LocalEvaluation, name: string | undefined) => Listing): Lister {
  return async (options, terminal, name) => list(await readLocalEvaluation(options, terminal), name);
}

const listers = {
  campaigns: fromStatus(listCampaigns),
  stages: fromStatus(listStages),
  runs: async (options, terminal, name) => {
    const named = findNamed("run", name);
    const ledger = await readLedger(options, terminal, named === undefined ? [] : [named]);
    // The ledger knows every run; what is done of an open one only the status says, where there is one.
    const hasSource = findBus(options, terminal) !== undefined || options.kubeconfig !== undefined;
    const isOpen = Object.values(ledger?.runs ?? {}).some(({ state }) => state === "open");
    const isAsked = ledger === undefined || (isOpen && hasSource);
    return listRuns(ledger, isAsked ? await readStatus(options, terminal) : undefined, name);
  },
  batches: fromStatus(listBatches),
  namespaces: fromFleet(listNamespaces),
  workloads: fromFleet(listWorkloads),
  holds: fromStatus(listHolds),
  failures: fromFleet(listFailures),
  revisions: fromFleet(listRevisions),
} satisfies Readonly<Record<string, Lister>>;

type Kind = keyof typeof listers;

function isKind(text: string): text is Kind {
  return Object.hasOwn(listers, text);
}

/** The fleet as it was published: what `simulate --fleet FILE` reads. */
async function writeFleet(options: Options, terminal: Terminal): Promise<void> {
  if (options.output !== "json") {
    throw new Refusal(exitCodes.usage, "a fleet is printed with -o json only", [
      { command: "meshroll get fleet -o json > fleet.json" },
    ]);
  }
  const clusters = await readFleet(options, terminal);
  await write(terminal.stdout, printSnapshot(clusters.values(), Date.now()));
}

/** `meshroll get KIND [NAME]`: rows as kubectl prints them. */
export const define: Define = (command, { terminal }) => {
  addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "wide", "json", "name"])
    .addArgument(new Argument("<kind>", "what to list").choices([...Object.keys(listers), "fleet"]))
    .argument(
      "[name]",
      "only of this campaign; of runs: run/ID, with all that is recorded of it; of namespaces, workloads and revisions: only this one",
    )
    .addHelpText("after", "\nget fleet -o json prints the inventory, as  simulate --fleet FILE  reads it.")
    .action(async (kind: string, name: string | undefined, options: Options) => {
      if (!isKind(kind)) {
        await writeFleet(options, terminal);
        return;
      }
      const listing = await listers[kind](options, terminal, name);
      const printed = printListing(listing, options.output, readWidth(terminal));
      if (printed === undefined) await write(terminal.stderr, `no ${kind}\n`);
      else await write(terminal.stdout, printed);
    });
};
