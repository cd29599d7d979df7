import { isDeepStrictEqual } from "node:util";

import { BusUnavailable, type KeyValue } from "#libs/bus";
import { nameRunKey } from "#libs/events";
import { lookUp } from "#libs/input";
import {
  addSample,
  describeReport,
  emptySeries,
  endSeries,
  type FleetStatus,
  type LedgerState,
  type RunRecord,
  type RunReport,
  type RunSeries,
} from "#libs/plan";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import type { ReconcileResult } from "../../reconcile/planner.ts";
import { fitReport } from "./fit-report.ts";
import { listReported, readReport, removeReport } from "./report-keys.ts";
import { printReportNews } from "./report-news.ts";

/** Shortest time between two writes of open runs, real ms. */
const writeEveryMs = 5000;
/** The largest part of the time that may go into it: decisions must not wait for it. */
const mostShare = 1 / 20;
/** Longest time between two writes without a change, and between two looks at which keys are there, real ms. */
const repeatEveryMs = 60_000;
/** Shortest time between two tries after a fault, real ms. */
const retryMs = 5000;
/** The newest ended runs, and the newest open ones, that have a key. */
const mostEnded = 50;
const mostOpen = 500;
/** Ended runs, or old keys, that are handled in one reconcile. */
const mostInTurn = 5;
/** Open runs that are written, or ended, in one reconcile, and for how long, real ms. */
const mostOpenInTurn = 20;
const mostTurnMs = 100;

/** An open run. */
interface Course {
  series: RunSeries;
  /** What was written last; empty = nothing by this planner. */
  news: string;
  writtenAt: number;
}

export interface RunPublisherParts {
  readonly bucket: KeyValue;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** False: another planner writes the keys. */
  readonly leads: () => boolean;
}

export interface RunPublisher {
  /** Takes the status that was described in this reconcile, from which runs are sampled. */
  notice(status: FleetStatus): void;
  /** Publishes `runs.<id>` of KV `status`: what each open run, and each of the newest ended ones, did over time. */
  publish(reconcile: ReconcileResult): Promise<void>;
}

/** The runs that have a key: the newest of those that are open, and of those that ended. */
function listWanted(ledger: LedgerState): ReadonlyMap<string, RunRecord> {
  const newest = Object.values(ledger.runs).toSorted((a, b) => b.order - a.order);
  const open = newest.filter(({ state }) => state === "open").slice(0, mostOpen);
  const ended = newest.filter(({ state }) => state !== "open").slice(0, mostEnded);
  return new Map([...open, ...ended].map((record) => [record.id, record]));
}

function takesBack({ changes }: RunRecord): boolean {
  return changes.some(({ direction }) => direction === "rollback");
}

/** The ended runs whose report another ledger may change: a run that takes changes back concerns any of them. */
function listAffected(wanted: Iterable<RunRecord>, ledger: LedgerState, before?: LedgerState): readonly string[] {
  const hasChanged = (record: RunRecord): boolean =>
    !isDeepStrictEqual(record, before === undefined ? undefined : lookUp(before.runs, record.id));
  const isAny = Object.values(ledger.runs).some((record) => takesBack(record) && hasChanged(record));
  const ended = [...wanted].filter(({ state }) => state !== "open");
  return ended.filter((record) => isAny || hasChanged(record)).map(({ id }) => id);
}

/** Publishes runs for the page. Nothing is decided on it, so it does little in each reconcile. */
class Publisher implements RunPublisher {
  readonly #bucket: KeyValue;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, "warn">;
  readonly #leads: () => boolean;
  readonly #courses = new Map<string, Course>();
  #status: FleetStatus | undefined;
  #sampled: FleetStatus | undefined;
  #ledger: LedgerState | undefined;
  #wanted: ReadonlyMap<string, RunRecord> = new Map();
  /** Ended runs whose key may differ from the ledger, and keys of runs that are too old. */
  #unchecked = new Set<string>();
  #surplus = new Set<string>();
  /** Open runs that are still to be written in this round. */
  #round: readonly string[] = [];
  #roundAt = Number.NEGATIVE_INFINITY;
  #nextAt = Number.NEGATIVE_INFINITY;
  /** The first fault of this turn, and whether one was logged since the last turn without a fault. */
  #fault: { readonly error: unknown; readonly run: string } | undefined;
  #hasFailed = false;
  #retryAt = Number.NEGATIVE_INFINITY;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor({ bucket, clock, log, leads }: RunPublisherParts) {
    this.#bucket = bucket;
    this.#clock = clock;
    this.#log = log;
    this.#leads = leads;
  }

  notice(status: FleetStatus): void {
    this.#status = status;
  }

  async publish({ snapshot }: ReconcileResult): Promise<void> {
    if (snapshot.ledger === undefined) return;
    const began = this.#clock.monotonic();
    this.#takeLedger(snapshot.ledger);
    this.#sample();
    if (began < this.#retryAt || !this.#leads()) return;
    this.#fault = undefined;
    const at = new Date(snapshot.now).toISOString();
    await this.#openCourses();
    this.#sample();
    await this.#endCourses(snapshot.ledger, at);
    const isDue = began >= this.#nextAt;
    if (isDue) await this.#writeDue(snapshot.ledger, at, began);
    this.#tellFault(isDue);
  }

  async #writeDue(ledger: LedgerState, at: string, began: number): Promise<void> {
    await this.#checkEnded(ledger, at);
    await this.#writeRound(ledger, at, began);
    await this.#listKeys();
    await this.#removeSurplus();
    const took = this.#clock.monotonic() - began;
    // A round that is not through continues in the next reconcile.
    const pause = this.#round.length === 0 ? this.#roundAt + writeEveryMs - began : 0;
    this.#nextAt = began + Math.max(pause, took / mostShare);
  }

  /** Writes some of the open runs, and continues with the others at the next call. */
  async #writeRound(ledger: LedgerState, at: string, began: number): Promise<void> {
    if (this.#round.length === 0) {
      this.#round = [...this.#courses.keys()];
      this.#roundAt = began;
    }
    let done = 0;
    await this.#doEach(this.#round.slice(0, mostOpenInTurn), async (id) => {
      if (done > 0 && this.#clock.monotonic() - began >= mostTurnMs) return;
      done += 1;
      const course = this.#courses.get(id);
      if (course !== undefined) await this.#writeOpen(id, course, ledger, at);
    });
    this.#round = this.#round.slice(done);
  }

  /** One warning until a whole turn succeeds again. */
  #tellFault(isDue: boolean): void {
    if (this.#fault === undefined) {
      if (isDue) this.#hasFailed = false;
      return;
    }
    this.#retryAt = this.#clock.monotonic() + retryMs;
    if (!this.#hasFailed && this.#leads())
      this.#log.warn(this.#fault, "the page does not get the report of a run; it is tried again");
    this.#hasFailed = true;
  }

  /** A fault of one run is its own matter. */
  async #doEach<T extends string | readonly [id: string, course: Course]>(
    items: Iterable<T>,
    act: (item: T) => Promise<void>,
  ): Promise<void> {
    await doEach(items, act, {
      onFault: (item, error) => {
        const run = typeof item === "string" ? item : item[0];
        this.#fault ??= { error, run };
        // Others come first at the next try.
        if (this.#unchecked.delete(run)) this.#unchecked.add(run);
      },
      isDown: (error) => error instanceof BusUnavailable,
    });
  }

  #takeLedger(ledger: LedgerState): void {
    if (this.#ledger === ledger) return;
    this.#wanted = listWanted(ledger);
    for (const id of listAffected(this.#wanted.values(), ledger, this.#ledger)) this.#unchecked.add(id);
    this.#ledger = ledger;
  }

  /** Continues what an earlier planner wrote. */
  async #openCourses(): Promise<void> {
    const fresh = [...this.#wanted.values()].filter(({ id, state }) => state === "open" && !this.#courses.has(id));
    const ids = fresh.slice(0, mostInTurn).map(({ id }) => id);
    await this.#doEach(ids, async (id) => {
      const series = (await readReport(this.#bucket, id))?.series ?? emptySeries;
      this.#courses.set(id, { series, news: "", writtenAt: Number.NEGATIVE_INFINITY });
      this.#sampled = undefined;
    });
  }

  #sample(): void {
    const status = this.#status;
    if (status === undefined || status === this.#sampled) return;
    this.#sampled = status;
    for (const [id, course] of this.#courses) course.series = addSample(course.series, status, id);
  }

  /** The last report of a run, at once. */
  async #endCourses(ledger: LedgerState, at: string): Promise<void> {
    const ended = [...this.#courses].filter(([id]) => this.#wanted.get(id)?.state !== "open");
    await this.#doEach(ended.slice(0, mostOpenInTurn), async ([id, { series }]) => {
      const record = this.#wanted.get(id);
      if (record !== undefined) await this.#writeEnded(record, ledger, at, series);
      this.#courses.delete(id);
      this.#unchecked.delete(id);
    });
  }

  async #writeEnded(record: RunRecord, ledger: LedgerState, at: string, series: RunSeries): Promise<void> {
    const report = describeReport(record, ledger, emptySeries, { at });
    await this.#put({ ...report, series: endSeries(series, report.record) });
  }

  /** Some of the ended runs. */
  async #checkEnded(ledger: LedgerState, at: string): Promise<void> {
    await this.#doEach([...this.#unchecked].slice(0, mostInTurn), async (id) => {
      const record = this.#wanted.get(id);
      if (record !== undefined && !this.#courses.has(id)) await this.#bringUpToDate(record, ledger, at);
      this.#unchecked.delete(id);
    });
  }

  async #bringUpToDate(record: RunRecord, ledger: LedgerState, at: string): Promise<void> {
    const before = await readReport(this.#bucket, record.id);
    // What is archived has no details any more: a key from before has more.
    if (before !== undefined && record.archived !== undefined) return;
    const report = describeReport(record, ledger, emptySeries, { at });
    const series = endSeries(before?.series ?? emptySeries, report.record);
    const now = { ...report, series };
    // Compared as printed: the printer cleans and cuts texts.
    if (before !== undefined && printReportNews(before) === printReportNews(JSON.parse(fitReport(now)) as RunReport))
      return;
    await this.#put(now);
  }

  async #writeOpen(id: string, course: Course, ledger: LedgerState, at: string): Promise<void> {
    const record = this.#wanted.get(id);
    if (record?.state !== "open") return;
    const status = this.#status;
    const report = describeReport(record, ledger, course.series, { at, ...(status === undefined ? {} : { status }) });
    const news = printReportNews(report);
    if (news === course.news && this.#clock.monotonic() - course.writtenAt < repeatEveryMs) return;
    await this.#put(report);
    course.news = news;
    course.writtenAt = this.#clock.monotonic();
  }

  async #put(report: RunReport): Promise<void> {
    const text = fitReport(report);
    if (this.#leads()) await this.#bucket.put(nameRunKey(report.record.id), text);
  }

  /** Finds keys that a wipe took, and those of runs that are too old. */
  async #listKeys(): Promise<void> {
    if (this.#clock.monotonic() - this.#listedAt < repeatEveryMs) return;
    const reported = await listReported(this.#bucket);
    this.#listedAt = this.#clock.monotonic();
    this.#surplus = new Set([...reported].filter((id) => !this.#wanted.has(id)));
    const lost = [...this.#wanted.values()].filter(({ id, state }) => state !== "open" && !reported.has(id));
    for (const { id } of lost) this.#unchecked.add(id);
  }

  async #removeSurplus(): Promise<void> {
    await this.#doEach([...this.#surplus].slice(0, mostInTurn), async (id) => {
      this.#surplus.delete(id);
      if (!this.#wanted.has(id)) await removeReport(this.#bucket, id, this.#leads);
    });
  }
}

/** The publisher of one term: it reads back what planners before it wrote. */
export function createRunPublisher(parts: RunPublisherParts): RunPublisher {
  return new Publisher(parts);
}
