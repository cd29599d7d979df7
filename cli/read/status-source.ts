import type { FleetStatus, Spec, Evaluation, Snapshot } from "#libs/plan";
import type { Finding } from "#libs/rollouts";

import { exitCodes } from "../terminal/exit-codes.ts";
import { type FleetOptions, readFleet } from "./fleet-source.ts";
import { readNow } from "./planner-time.ts";
import { readPublished } from "./read-published.ts";
import { listFindings, fixSpec } from "./read-spec.ts";
import { type RepositoryOptions, withRepository } from "./repository.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findBus, withBus } from "./with-bus.ts";

export interface StatusOptions extends FleetOptions, RepositoryOptions {}

/** File, ledger and inventory, evaluated here by the planner's rules. */
export interface LocalEvaluation {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly evaluation: Evaluation;
}

/** Refuses with main's first error, as the planner's status names it. */
function refuseMain(url: string, findings: readonly Finding[]): Refusal {
  const [first = ""] = listFindings(findings).split("\n");
  return new Refusal(exitCodes.invalid, `main of ${url} does not parse: ${first}`, fixSpec(findings));
}

/** Evaluates the fleet without a planner. */
export async function readLocalEvaluation(options: StatusOptions, terminal: Terminal): Promise<LocalEvaluation> {
  const [clusters, now] = await Promise.all([readFleet(options, terminal), readNow(options, terminal)]);
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const { evaluateUnwatched } = await import("#libs/plan");
    const { createRepositorySnapshots } = await import("#libs/repository");
    const { systemClock } = await import("#libs/runtime");
    const {
      main,
      ledger: state,
      specs,
      doubt,
    } = await createRepositorySnapshots(repository, ledger, systemClock()).refresh();
    const head = specs.get(main.head);
    if (head === undefined) throw refuseMain(url, main.unreadable?.get(main.head) ?? []);
    const snapshot = {
      now,
      main,
      ledger: state,
      ...(doubt === undefined ? {} : { ledgerDoubt: doubt }),
      specs,
      clusters,
      requests: [],
      waitingSince: new Map(),
      queueUp: false,
    };
    return { head, ...evaluateUnwatched(snapshot, head) };
  });
}

async function computeStatus(options: StatusOptions, terminal: Terminal): Promise<FleetStatus> {
  const { snapshot, head, evaluation } = await readLocalEvaluation(options, terminal);
  const { nameDoubt, describeFleet } = await import("#libs/plan");
  const doubts = snapshot.ledgerDoubt === undefined ? [] : [nameDoubt(snapshot.ledgerDoubt)];
  const waits = [...doubts, { code: "NoPlanner" } as const].map(
    (reason) => ({ kind: "wait", scope: "all", reason }) as const,
  );
  return describeFleet(snapshot, head, evaluation.judged, evaluation.views, waits);
}

/** The planner's status, or one computed from file and clusters. */
export async function readStatus(options: StatusOptions, terminal: Terminal): Promise<FleetStatus> {
  const place = options.kubeconfig === undefined ? findBus(options, terminal) : undefined;
  const published = place === undefined ? undefined : await withBus(place, readPublished);
  return published ?? computeStatus(options, terminal);
}
