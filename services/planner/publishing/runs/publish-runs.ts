import { BusUnavailable, type KeyValue } from "#libs/bus";
import { nameRunKey } from "#libs/events";
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
/** The newest runs that have a key, besides the open ones. */
const mostRuns = 50;
/** Ended runs, or old keys, that are handled in one reconcile. */
const mostInTurn = 5;

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
  readonly log: Pick<Logger, "error">;
}

export interface RunPublisher {
  /** Takes the status that was described in this reconcile, from which runs are sampled. */
  notice(status: FleetStatus): void;
  /** Publishes `runs.<id>` of KV `status`: what each open run, and each of the newest ended ones, did over time. */
  publish(reconcile: ReconcileResult): Promise<void>;
}

/** The runs that have a key: those that are open, and the newest. */
function listWanted(ledger: LedgerState): ReadonlyMap<string, RunRecord> {
  const newest = Object.values(ledger.runs).toSorted((a, b) => b.order - a.order);
  const wanted = newest.filter(({ state }, at) => at < mostRuns || state === "open");
  return new Map(wanted.map((record) => [record.id, record]));
}

/** Publishes runs for the page. Nothing is decided on it, so it does little in each reconcile. */
class Publisher implements RunPublisher {
  readonly #bucket: KeyValue;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, "error">;
  readonly #courses = new Map<string, Course>();
  #status: FleetStatus | undefined;
  #sampled: FleetStatus | undefined;
  #ledger: LedgerState | undefined;
  #wanted: ReadonlyMap<string, RunRecord> = new Map();
  /** Ended runs whose key may differ from the ledger, and keys of runs that are too old. */
  #unchecked = new Set<string>();
  #surplus = new Set<string>();
  #nextAt = Number.NEGATIVE_INFINITY;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor({ bucket, clock, log }: RunPublisherParts) {
    this.#bucket = bucket;
    this.#clock = clock;
    this.#log = log;
  }

  notice(status: FleetStatus): void {
    this.#status = status;
  }

  async publish({ snapshot }: ReconcileResult): Promise<void> {
    if (snapshot.ledger === undefined) return;
    const began = this.#clock.monotonic();
    const at = new Date(snapshot.now).toISOString();
    this.#takeLedger(snapshot.ledger);
    await this.#openCourses();
    this.#sample();
    await this.#endCourses(snapshot.ledger, at);
    await this.#checkEnded(snapshot.ledger, at);
    if (began < this.#nextAt) return;
    const { ledger } = snapshot;
    await this.#doEach(this.#courses, async ([id, course]) => this.#writeOpen(id, course, ledger, at));
    await this.#listKeys();
    await this.#removeSurplus();
    const took = this.#clock.monotonic() - began;
    this.#nextAt = began + Math.max(writeEveryMs, took / mostShare);
  }

  /** A fault of one run is its own matter. */
  async #doEach<T extends string | readonly [id: string, course: Course]>(
    items: Iterable<T>,
    act: (item: T) => Promise<void>,
  ): Promise<void> {
    await doEach(items, act, {
      onFault: (item, error) => {
        const run = typeof item === "string" ? item : item[0];
        this.#log.error({ error, run }, "the report of a run could not be brought up to date; it is tried again");
        // Others come first at the next try.
        if (this.#unchecked.delete(run)) this.#unchecked.add(run);
      },
      isDown: (error) => error instanceof BusUnavailable,
    });
  }

  #takeLedger(ledger: LedgerState): void {
    if (this.#ledger === ledger) return;
    this.#ledger = ledger;
    this.#wanted = listWanted(ledger);
    // A later run may have rolled one of them back.
    for (const { id, state } of this.#wanted.values()) if (state !== "open") this.#unchecked.add(id);
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
    await this.#doEach(this.#courses, async ([id, { series }]) => {
      const record = this.#wanted.get(id);
      if (record?.state === "open") return;
      if (record !== undefined) await this.#writeEnded(record, ledger, at, series);
      this.#courses.delete(id);
      this.#unchecked.delete(id);
    });
  }

  async #writeEnded(record: RunRecord, ledger: LedgerState, at: string, series: RunSeries): Promise<void> {
    const report = describeReport(record, ledger, emptySeries, { at });
    await this.#put({ ...report, series: endSeries(series, report.record) });
  }

  /** Some of the ended runs. What is archived has no details any more: a key from before has more. */
  async #checkEnded(ledger: LedgerState, at: string): Promise<void> {
    await this.#doEach([...this.#unchecked].slice(0, mostInTurn), async (id) => {
      const record = this.#wanted.get(id);
      if (record !== undefined && record.archived === undefined) await this.#bringUpToDate(record, ledger, at);
      this.#unchecked.delete(id);
    });
  }

  async #bringUpToDate(record: RunRecord, ledger: LedgerState, at: string): Promise<void> {
    const before = await readReport(this.#bucket, record.id);
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
    if (record === undefined) return;
    const status = this.#status;
    const report = describeReport(record, ledger, course.series, { at, ...(status === undefined ? {} : { status }) });
    const news = printReportNews(report);
    if (news === course.news && this.#clock.monotonic() - course.writtenAt < repeatEveryMs) return;
    await this.#put(report);
    course.news = news;
    course.writtenAt = this.#clock.monotonic();
  }

  async #put(report: RunReport): Promise<void> {
    await this.#bucket.put(nameRunKey(report.record.id), fitReport(report));
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
      if (!this.#wanted.has(id)) await removeReport(this.#bucket, id);
    });
  }
}

/** The publisher of one term: it reads back what planners before it wrote. */
export function createRunPublisher(parts: RunPublisherParts): RunPublisher {
  return new Publisher(parts);
}
