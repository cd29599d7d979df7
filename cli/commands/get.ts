import { findNamed, suggestWord } from "#libs/input";
import type { FleetStatus } from "#libs/plan";

import type { Define } from "../terminal/command.ts";
import { printSnapshot } from "../read/fleet-snapshot.ts";
import { addFleetOptions, readFleet } from "../read/fleet-source.ts";
import { Argument } from "commander";

import { findKindNamed, type Kind, kindNames } from "../names/kinds.ts";
import { addPartOptions, checkPart, type PartOptions } from "../names/part-options.ts";
import { requireKnown } from "../names/unknown-name.ts";
import { listDrift } from "../show/rows/get-drift-rows.ts";
import { listNamespaces, listWorkloads } from "../show/rows/get-fleet-rows.ts";
import { listFailures, listSkipped } from "../show/rows/get-left-rows.ts";
import { listRevisions } from "../show/rows/get-revision-rows.ts";
import { listRuns } from "../show/rows/get-run-rows.ts";
import { listBatches, listCampaigns, listHolds, listStages } from "../show/rows/get-status-rows.ts";
import { type FleetView, narrowView } from "../show/rows/narrow-view.ts";
import { requireFleetName, requireRun, requireStatusName } from "../show/rows/require-name.ts";
import { readLedger } from "../requests/known-stops.ts";
import { type Listing, type ListingFormat, printListing, printNotes } from "../show/listing.ts";
import { addOutputOption } from "../options/output-option.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addRepositoryOption } from "../read/repository.ts";
import { readLocalEvaluation, readStatus, type StatusOptions } from "../read/status-source.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";
import { followListing } from "../watch/follow-listing.ts";
import { rest } from "../watch/watch-status.ts";
import { findBus } from "../read/with-bus.ts";

interface Options extends StatusOptions, PartOptions {
  readonly output: ListingFormat;
  readonly watch?: boolean;
}

/** How a kind is listed: from the planner's status, or from file, ledger and inventory. */
type Lister = (options: Options, terminal: Terminal, name: string | undefined) => Promise<Listing>;

type StatusLister = (status: FleetStatus, name: string | undefined, cluster?: string) => Listing;

function fromStatus(kind: "batches" | "campaigns" | "holds" | "stages", list: StatusLister): Lister {
  return async (options, terminal, name) => {
    const status = await readStatus(options, terminal);
    if (name !== undefined) requireStatusName(kind, name, status);
    const clusters = status.clusters.map((each) => each.name);
    if (options.cluster !== undefined) requireKnown("cluster", options.cluster, clusters);
    return list(status, name, options.cluster);
  };
}

type FleetKind = "drift" | "failures" | "namespaces" | "revisions" | "skipped" | "workloads";

function fromFleet(kind: FleetKind, list: (view: FleetView, name: string | undefined) => Listing): Lister {
  return async (options, terminal, name) => {
    const view = await readLocalEvaluation(options, terminal);
    const { cluster, namespace, selector: labels } = options;
    if (cluster !== undefined) requireKnown("cluster", cluster, view.snapshot.clusters.keys());
    if (namespace !== undefined) requireFleetName("namespaces", namespace, view);
    if (name !== undefined) requireFleetName(kind, name, view);
    const part = {
      ...(cluster === undefined ? {} : { cluster }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
    };
    return list(narrowView(view, part), name);
  };
}

async function listRecorded(options: Options, terminal: Terminal, name: string | undefined): Promise<Listing> {
  const named = findNamed("run", name);
  const ledger = await readLedger(options, terminal, named === undefined ? [] : [named]);
  const records = Object.values(ledger?.runs ?? {});
  // The ledger has every run; the progress of an open one is in the status only.
  const hasSource = findBus(options, terminal) !== undefined || options.kubeconfig !== undefined;
  const needsStatus = ledger === undefined || (hasSource && records.some(({ state }) => state === "open"));
  const status = needsStatus ? await readStatus(options, terminal) : undefined;
  if (name !== undefined) requireRun(name, records, status);
  return listRuns(ledger, status, name);
}

const listers = {
  campaigns: fromStatus("campaigns", listCampaigns),
  stages: fromStatus("stages", listStages),
  runs: listRecorded,
  batches: fromStatus("batches", listBatches),
  namespaces: fromFleet("namespaces", listNamespaces),
  workloads: fromFleet("workloads", listWorkloads),
  holds: fromStatus("holds", listHolds),
  failures: fromFleet("failures", listFailures),
  skipped: fromFleet("skipped", listSkipped),
  drift: fromFleet("drift", listDrift),
  revisions: fromFleet("revisions", listRevisions),
} satisfies Readonly<Record<Exclude<Kind, "fleet">, Lister>>;

/** The fleet as it was published, the input of `simulate --fleet FILE`. */
async function writeFleet(options: Options, terminal: Terminal): Promise<void> {
  if (options.watch === true)
    throw new Refusal(exitCodes.usage, "--watch with fleet would do nothing: it is printed once");
  if (options.output !== "json") {
    throw new Refusal(exitCodes.usage, "a fleet is printed with -o json only", [
      { command: "meshroll get fleet -o json > fleet.json" },
    ]);
  }
  const clusters = await readFleet(options, terminal);
  await write(terminal.stdout, printSnapshot(clusters.values(), Date.now()));
}

/** The kind and the name: `runs istio-1-25`, or `run/ID` as `-o name` prints it. */
interface Subject {
  readonly kind: Kind;
  /** The plural as it was typed: `stops` for the kind `holds`. */
  readonly typed: string;
  readonly name?: string;
}

/** Clusters are rows of the status; any other word may be a typo. */
function refuseKind(word: string): Refusal {
  const near = suggestWord(word, kindNames);
  const guess = near === undefined ? [] : [`did you mean ${near}?`];
  const elsewhere = /^clusters?$/u.test(word) ? [[{ command: "meshroll status" }, "  lists the clusters"]] : guess;
  return new Refusal(exitCodes.usage, `there is no kind ${word}`, ...elsewhere, `kinds: ${kindNames.join(", ")}`);
}

function readSubject(word: string, name: string | undefined): Subject {
  const slash = word.indexOf("/");
  const [head, tail] = slash < 0 ? [word, name] : [word.slice(0, slash), word.slice(slash + 1)];
  const kind = findKindNamed(head);
  if (kind === undefined) {
    throw refuseKind(head);
  }
  if (slash >= 0 && name !== undefined) {
    throw new Refusal(exitCodes.usage, `${word} has the kind and the name already`, [
      "say  ",
      { command: `meshroll get ${word}` },
      "  or  ",
      { command: `meshroll get ${head} ${name}` },
    ]);
  }
  const typed = kind === "holds" ? head.replace(/s?$/u, "s") : kind;
  if (tail === undefined) return { kind, typed };
  return { kind, typed, name: kind === "runs" && /^[0-9a-f]{12}$/u.test(tail) ? `run/${tail}` : tail };
}

async function get({ kind, typed, name }: Subject, options: Options, terminal: Terminal): Promise<void> {
  checkPart(kind, options);
  if (kind === "fleet") {
    if (name === undefined) return writeFleet(options, terminal);
    throw new Refusal(exitCodes.usage, `get fleet takes no name: it prints all of the inventory, not ${name} alone`);
  }
  const read = async (): Promise<Listing> => listers[kind](options, terminal, name);
  if (options.watch === true) return followListing(read, options.output, terminal, async () => rest(undefined));
  const listing = await read();
  const printed = printListing(listing, options.output, readWidth(terminal));
  await (printed === undefined ? write(terminal.stderr, `no ${typed}\n`) : write(terminal.stdout, printed));
  const lines = printNotes(listing, options.output, terminal);
  if (lines.length > 0) await write(terminal.stderr, `${lines.join("\n")}\n`);
}

/** `meshroll get KIND [NAME]`: rows as kubectl prints them. */
export const define: Define = (command, { terminal }) => {
  // For completion and help; short and singular words are accepted as well.
  const kind = new Argument("<kind>", `what to list; the singular, ns, wl and KIND/NAME work too`);
  kind.choices(kindNames).argParser((word: string) => word);
  addOutputOption(addPartOptions(addRepositoryOption(addFleetOptions(command))), ["human", "wide", "json", "name"])
    .addArgument(kind)
    .argument(
      "[name]",
      "only of this campaign; for runs, batches, failures and skipped also run/ID; for namespaces, workloads, drift, revisions: this one",
    )
    .option("-w, --watch", "print all rows, then each row that changes")
    .addHelpText("after", "\nget fleet -o json prints the inventory, as  simulate --fleet FILE  reads it.")
    .action(async (kind: string, name: string | undefined, options: Options) =>
      get(readSubject(kind, name), options, terminal),
    );
};
