import { Argument } from "commander";

import type { Define } from "../terminal/command.ts";
import { printSnapshot } from "../read/fleet-snapshot.ts";
import { addFleetOptions, readFleet } from "../read/fleet-source.ts";
import { kindNames } from "../names/kinds.ts";
import { addPartOptions, checkPart } from "../names/part-options.ts";
import { listKindRows } from "../show/rows/get-kind-rows.ts";
import { type Listing, type ListingFormat, printListing, printNotes } from "../show/listing.ts";
import { addOutputOption } from "../options/output-option.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { addRepositoryOption } from "../read/repository.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";
import { followListing } from "../watch/follow-listing.ts";
import { rest } from "../watch/watch-status.ts";
import { listers, type ListOptions } from "./listing/listers.ts";
import { readSubject, type Subject } from "./listing/subject.ts";

interface Options extends ListOptions {
  readonly output: ListingFormat;
  readonly watch?: boolean;
  readonly headers: boolean;
  readonly allNamespaces?: boolean;
}

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

async function get({ kind, typed, name }: Subject, options: Options, terminal: Terminal): Promise<void> {
  checkPart(kind, options);
  if (kind === "fleet") {
    if (name === undefined) return writeFleet(options, terminal);
    throw new Refusal(exitCodes.usage, `get fleet takes no name: it prints all of the inventory, not ${name} alone`);
  }
  const read = async (): Promise<Listing> => listers[kind](options, terminal, name);
  if (options.watch === true) {
    const style = { format: options.output, isWithTitles: options.headers };
    return followListing(read, style, terminal, async () => rest(undefined));
  }
  return writeListing(await read(), typed, options, terminal);
}

async function writeListing(listing: Listing, what: string, options: Options, terminal: Terminal): Promise<void> {
  const { output, headers } = options;
  const width = readWidth(terminal);
  const printed = printListing(listing, output, width, headers);
  await (printed === undefined ? write(terminal.stderr, `no ${what}\n`) : write(terminal.stdout, printed));
  const lines = printNotes(listing, output, terminal, width);
  if (lines.length > 0) await write(terminal.stderr, `${lines.join("\n")}\n`);
}

/** All namespaces are the default; next to one of them the flag would contradict it. */
function checkNamespaces({ allNamespaces, namespace }: Options): void {
  if (allNamespaces !== true || namespace === undefined) return;
  const message = `--all-namespaces and --namespace ${namespace} say different things`;
  throw new Refusal(exitCodes.usage, message, "give one of them");
}

/** Without a kind: those that there are. */
async function listAllKinds(options: Options, terminal: Terminal): Promise<void> {
  const { cluster, namespace, selector, watch } = options;
  if ([cluster, namespace, selector, watch].some((each) => each !== undefined)) {
    throw new Refusal(exitCodes.usage, "say which kind to list", [{ command: "meshroll get" }, "  lists the kinds"]);
  }
  await writeListing(listKindRows(), "kinds", options, terminal);
}

/** `meshroll get KIND [NAME]`: rows as kubectl prints them. */
export const define: Define = (command, { terminal }) => {
  // For completion and help; short and singular words are accepted as well.
  const kind = new Argument(
    "[kind]",
    "what to list; the singular, ns, wl and KIND/NAME work too; without it: the kinds",
  );
  kind.choices(kindNames).argParser((word: string) => word);
  addOutputOption(addPartOptions(addRepositoryOption(addFleetOptions(command))), ["human", "wide", "json", "name"])
    .addArgument(kind)
    .argument(
      "[name]",
      "only of this campaign; for runs, batches, failures and skipped also run/ID; for every other kind: this one",
    )
    .option("-A, --all-namespaces", "of all namespaces, as without -n")
    .option("--no-headers", "print no titles")
    .option("-w, --watch", "print all rows, then each row that changes")
    .addHelpText("after", "\nget fleet -o json prints the inventory, as  simulate --fleet FILE  reads it.")
    .action(async (word: string | undefined, name: string | undefined, options: Options) => {
      checkNamespaces(options);
      await (word === undefined
        ? listAllKinds(options, terminal)
        : get(readSubject("get", word, name), options, terminal));
    });
};
