import { openBus } from "#libs/bus";
import {
  type LedgerLine,
  listChunks,
  nameRunKey,
  printChunk,
  printHistoryHead,
  printNamespaceParts,
  printRunReport,
  printStatus,
} from "#libs/events";
import { testInstallation } from "#libs/input";
import {
  evaluateFleet,
  type FleetStatus,
  listNamespaces,
  type NamespaceTable,
  type RunReport,
  type Snapshot,
} from "#libs/plan";

import { createPictureStore } from "../../../services/planner/publishing/keep-pictures.ts";
import { statusOf } from "../../world/campaigns/campaign-instant.ts";

/** Replaces the planner: writes a status and a table of namespaces to the real bus, and repeats the status every second. */
export interface PlannerStub {
  /** Publishes what the planner would make of this snapshot, or what `change` makes of it. */
  publish(snapshot: Snapshot, change?: Change): Promise<void>;
  /** Publishes these transitions, oldest first, as all that the ledger has; `raw` as above. */
  publishHistory(lines: readonly LedgerLine[], raw?: boolean): Promise<void>;
  /** Keeps what was published last as a picture, as the planner does. */
  keepPicture(): Promise<void>;
  /** Publishes the report of a run; `raw`: without the cleaning of texts, as a foreign program could. */
  publishRun(report: RunReport, raw?: "raw"): Promise<void>;
  /** Ends the repetition, as if no planner ran. */
  stopPublishing(): void;
  close(): Promise<void>;
}

export interface Change {
  readonly status?: (status: FleetStatus) => FleetStatus;
  readonly table?: (table: NamespaceTable) => NamespaceTable;
  /** Publishes as JSON without the cleaning of texts, as a foreign program could. */
  readonly raw?: boolean;
}

const everyMs = 1000;

function same<T>(value: T): T {
  return value;
}

/** The table of namespaces at a snapshot's head. */
export function tableOf(snapshot: Snapshot): NamespaceTable {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("the snapshot has no head");
  return listNamespaces(head, evaluateFleet(snapshot, head).judged, new Date(snapshot.now).toISOString());
}

/** `url` needs a login with the planner's rights. */
export async function openPlannerStub(url: string): Promise<PlannerStub> {
  const bus = await openBus({ installation: testInstallation, url, name: "planner", patient: true });
  const bucket = bus.bucket("status");
  let last: FleetStatus | undefined;
  let print: (value: FleetStatus) => string = printStatus;
  const write = async (): Promise<void> => {
    if (last !== undefined) await bucket.put("fleet", print({ ...last, wroteAt: Date.now() }));
  };
  // The next picture is always due.
  let minutes = 0;
  const clock = { monotonic: () => minutes * 60_000 };
  const log = {
    warn: (fields: object | string) => {
      throw new Error("no picture was kept", { cause: fields });
    },
  };
  const pictures = createPictureStore({ bucket, clock, log, isFull: () => false, leads: () => true });
  // A failed write is repeated a second later, for tests that stop the bus.
  const timer = setInterval(() => void write().catch(() => undefined), everyMs);
  return {
    async publish(snapshot, { status = same, table = same, raw = false }: Change = {}) {
      last = status(statusOf(snapshot));
      print = raw ? (value) => JSON.stringify(value) : printStatus;
      await write();
      const [listed, stamp] = [table(tableOf(snapshot)), String(Date.now())];
      for (const [key, value] of printNamespaceParts(listed, stamp)) await bucket.put(key, value);
      const text = print(last);
      pictures.noteStatus({ text, news: text, at: Date.parse(last.at), sequence: undefined });
      pictures.noteTable({ ...listed, stamp });
    },
    async keepPicture() {
      minutes += 1;
      await pictures.keep();
    },
    async publishHistory(lines, raw = false) {
      const end = { head: lines.at(-1)?.commit ?? "", total: lines.length, lines };
      const chunks = listChunks(end);
      for (const chunk of chunks) {
        await bucket.put(chunk.key, raw ? JSON.stringify({ entries: chunk.lines }) : printChunk(chunk));
      }
      const tips = chunks.map(({ tip }) => tip);
      await bucket.put("history.head", printHistoryHead(end, tips));
    },
    async publishRun(report, raw) {
      const text = raw === undefined ? printRunReport(report) : JSON.stringify(report);
      await bucket.put(nameRunKey(report.record.id), text);
    },
    stopPublishing: () => void (last = undefined),
    async close() {
      clearInterval(timer);
      await bus.close();
    },
  };
}
