import { openBus } from "#libs/bus";
import { printNamespaceParts, printStatus } from "#libs/events";
import { testInstallation } from "#libs/input";
import { evaluateFleet, type FleetStatus, listNamespaces, type NamespaceTable, type Snapshot } from "#libs/plan";

import { statusOf } from "../../world/campaigns/campaign-instant.ts";

/** What the planner would say: it puts a status and a table of namespaces on the real bus, and says it again every second. */
export interface PlannerVoice {
  /** The very objects that the planner makes of this snapshot, or others in their place. */
  say(snapshot: Snapshot, change?: Change): Promise<void>;
  /** No planner writes any more. */
  fallSilent(): void;
  close(): Promise<void>;
}

export interface Change {
  readonly status?: (status: FleetStatus) => FleetStatus;
  readonly table?: (table: NamespaceTable) => NamespaceTable;
  /** As a foreign program would write it: nothing is cleaned. */
  readonly raw?: boolean;
}

const everyMs = 1000;

function keep<T>(same: T): T {
  return same;
}

/** The table of a snapshot's head. */
export function tableOf(snapshot: Snapshot): NamespaceTable {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("the snapshot has no head");
  return listNamespaces(head, evaluateFleet(snapshot, head).judged, new Date(snapshot.now).toISOString());
}

/** `url`: with a login that may write where the planner does. */
export async function openPlannerVoice(url: string): Promise<PlannerVoice> {
  const bus = await openBus({ installation: testInstallation, url, name: "planner", patient: true });
  const bucket = bus.bucket("status");
  let last: FleetStatus | undefined;
  let print: (value: FleetStatus) => string = printStatus;
  const write = async (): Promise<void> => {
    if (last !== undefined) await bucket.put("fleet", print({ ...last, wroteAt: Date.now() }));
  };
  // A bus that a test took away is written to again when it is back.
  const timer = setInterval(() => void write().catch(() => undefined), everyMs);
  return {
    async say(snapshot, { status = keep, table = keep, raw = false }: Change = {}) {
      last = status(statusOf(snapshot));
      print = raw ? (value) => JSON.stringify(value) : printStatus;
      await write();
      for (const [key, value] of printNamespaceParts(table(tableOf(snapshot)), String(Date.now())))
        await bucket.put(key, value);
    },
    fallSilent: () => void (last = undefined),
    async close() {
      clearInterval(timer);
      await bus.close();
    },
  };
}
