import { openFakeBus } from "#fakes/bus";
import { openFakeRepository } from "#fakes/git";
import { createInventoryFold } from "#libs/events";
import { openLedger } from "#libs/ledger";
import { evaluateUnwatched, NamespaceTree, tellAnswers } from "#libs/plan";
import { createRepositorySnapshots } from "#libs/repository";

import { describeRun } from "../../../cli/commands/describe/describe-run.ts";
import { printDescription } from "../../../cli/commands/describe/description.ts";
import { printListing, printNotes } from "../../../cli/show/listing.ts";
import { listFailures } from "../../../cli/show/rows/get-left-rows.ts";
import { listRuns } from "../../../cli/show/rows/get-run-rows.ts";
import { listHolds } from "../../../cli/show/rows/get-status-rows.ts";
import { type FleetView, narrowView } from "../../../cli/show/rows/narrow-view.ts";
import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { printStatus } from "../../../cli/show/status/print-status.ts";
import type { FleetFlow } from "../fleet-flow.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };

/** The inventory of the fake bus and the repository's files and ledger, as the CLI reads them. */
async function readView(flow: FleetFlow): Promise<FleetView> {
  const fold = createInventoryFold(NamespaceTree.empty);
  const stop = new AbortController();
  const watcher = {
    onEntry: ({ key, value }: { readonly key: string; readonly value?: string }) => fold.apply(key, value, 0),
    onReady: () => undefined,
    onReset: () => fold.reset(),
  };
  await openFakeBus(flow.bus).bucket("inventory").watch(">", watcher, stop.signal);
  await flow.pass(1);
  stop.abort();
  const clusters = fold.clusters().map(({ name, facts, namespaces }) => {
    const seen = { ageMs: 0, fresh: true, batch: undefined, batchEndedAt: 0 };
    return [name, { name, facts, namespaces, ...seen }] as const;
  });
  const repository = openFakeRepository(flow.remote);
  const read = await createRepositorySnapshots(repository, openLedger(repository), flow.clock).refresh();
  const head = read.specs.get(read.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const snapshot = {
    now: flow.clock.now(),
    main: read.main,
    ledger: await flow.ledger(),
    specs: read.specs,
    clusters: new Map(clusters),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
  };
  return narrowView({ head, ...evaluateUnwatched(snapshot, head) }, {});
}

/** What a person reads of one run at one moment, each screen as one line of text. */
export type Screens = Readonly<Record<"status" | "campaign" | "runs" | "describe" | "failures" | "holds", string>>;

function join(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

export async function readScreens(flow: FleetFlow, run: string): Promise<Screens> {
  const [status, ledger, view] = [await flow.status(), await flow.ledger(), await readView(flow)];
  const [campaign] = status?.campaigns ?? [];
  if (status === undefined || campaign === undefined) throw new Error("the planner has published no campaign");
  const failures = listFailures(view, `run/${run}`);
  const notes = printNotes(failures, "human", reading.terminal);
  const print = (listing: typeof failures, format: "human" | "wide" = "human"): string =>
    join(printListing(listing, format, 200) ?? "");
  return {
    status: join(printStatus(status, tellAnswers(status), reading)),
    campaign: join(printCampaign(campaign, tellAnswers(campaign), reading)),
    runs: print(listRuns(ledger, status, `run/${run}`), "wide"),
    describe: join(printDescription(describeRun({ id: run, ledger, status, history: [] }, reading), reading)),
    failures: `${print(failures)} ${join(notes.join(" "))}`,
    holds: print(listHolds(status, undefined), "wide"),
  };
}
