import type { FleetStatus, Spec, Survey, World } from "#libs/plan";
import type { Finding } from "#libs/spec";

import { exitCodes } from "./exit-codes.ts";
import { type FleetOptions, readFleet } from "./fleet-source.ts";
import { readNow } from "./planner-time.ts";
import { readPublished } from "./read-published.ts";
import { listFindings, mendSpec } from "./read-spec.ts";
import { type RepositoryOptions, withRepository } from "./repository.ts";
import { Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";
import { findBus, withBus } from "./with-bus.ts";

export interface StatusOptions extends FleetOptions, RepositoryOptions {}

/** File, ledger and inventory, judged here by the same rules that the planner has. */
export interface LocalSight {
  readonly world: World;
  readonly head: Spec;
  readonly survey: Survey;
}

/** Where main has to be mended: the first error, as the planner's own status names it. */
function refuseMain(url: string, findings: readonly Finding[]): Refusal {
  const [first = ""] = listFindings(findings).split("\n");
  return new Refusal(exitCodes.invalid, `main of ${url} does not parse: ${first}`, mendSpec(findings));
}

/** Looks at the fleet without a planner. */
export async function lookAround(options: StatusOptions, terminal: Terminal): Promise<LocalSight> {
  const [clusters, now] = await Promise.all([readFleet(options, terminal), readNow(options, terminal)]);
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const { surveyFleet } = await import("#libs/plan");
    const { createMainline } = await import("#libs/mainline");
    const { systemClock } = await import("#libs/runtime");
    const { main, ledger: state, specs, doubt } = await createMainline(repository, ledger, systemClock()).refresh();
    const head = specs.get(main.head);
    if (head === undefined) throw refuseMain(url, main.unreadable?.get(main.head) ?? []);
    const world = {
      now,
      main,
      ledger: state,
      ...(doubt === undefined ? {} : { ledgerDoubt: doubt }),
      specs,
      clusters,
      asks: [],
      waitingSince: new Map(),
      queueUp: false,
    };
    return { world, head, survey: surveyFleet(world, head) };
  });
}

async function computeStatus(options: StatusOptions, terminal: Terminal): Promise<FleetStatus> {
  const { world, head, survey } = await lookAround(options, terminal);
  const { describeDoubt, describeFleet } = await import("#libs/plan");
  const noPlanner = {
    code: "NoPlanner",
    message: "no planner was asked: this is what the file says against what runs, and nothing moves by it",
    owner: "whoever runs meshroll",
  };
  const doubts = world.ledgerDoubt === undefined ? [] : [describeDoubt(world.ledgerDoubt)];
  const waits = [...doubts, noPlanner].map((reason) => ({ kind: "wait", scope: "all", reason }) as const);
  return describeFleet(world, head, survey.judged, survey.views, waits);
}

/** The planner's own status, or one that is computed from file and clusters. */
export async function readStatus(options: StatusOptions, terminal: Terminal): Promise<FleetStatus> {
  const place = options.kubeconfig === undefined ? findBus(options, terminal) : undefined;
  const published = place === undefined ? undefined : await withBus(place, readPublished);
  return published ?? computeStatus(options, terminal);
}
