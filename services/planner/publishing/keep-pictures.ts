import { gzipSync } from "node:zlib";

import type { Entry, KeyValue } from "#libs/bus";
import {
  namePictureKey,
  pictureIndexKey,
  pictureKeys,
  printPicture,
  printPictureIndex,
  readPictureIndex,
  type StampedTable,
} from "#libs/events";
import { type Clock, type Logger, redactJson } from "#libs/runtime";

import { boundPictures, choosePictures, isPictureDue, type Shown, type Taken } from "./choose-pictures.ts";

/** So many pictures are removed at a time: each is a call of the bus, and decisions wait meanwhile. */
const mostSwept = 50;

/** So long no picture is taken after NATS had no room, and none are removed again, real ms: the bus reports it for a minute. */
const fullMs = 90_000;
/** The same where not even the index could be written after some were removed: NATS is full still. */
const retryMs = 2000;

/** A status as it was written to the bus. */
export interface PublishedStatus {
  readonly text: string;
  /** The same without ages and times, by which two are compared. */
  readonly news: string;
  /** Epoch ms by the fleet's clock. */
  readonly at: number;
  /** The ledger's newest transition in it. */
  readonly sequence: number | undefined;
}

/** Keeps what was published, so that an incident review sees the page as it was. */
export interface PictureStore {
  readonly noteStatus: (status: PublishedStatus) => void;
  readonly noteTable: (table: StampedTable) => void;
  /** Takes a picture where one is due. Never fails: nothing but the page's past depends on it. */
  keep(): Promise<void>;
}

/** How old something is, or how long a bake was healthy: these change all the time although nothing happens. */
const passing = /"(?:ageSeconds|healthySeconds|aboutSeconds)":[\d.]+/g;

function pack(text: string): string {
  return gzipSync(text).toString("base64");
}

function readTimes(entry: Entry | undefined): readonly number[] {
  return readPictureIndex(entry?.value ?? "") ?? [];
}

/** What the store of pictures needs. */
export interface PictureStoreParts {
  readonly bucket: KeyValue;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Pick<Logger, "warn">;
  /** Whether NATS has no room for what this process writes. */
  readonly isFull: () => boolean;
  /** False: another planner writes the keys. */
  readonly leads: () => boolean;
}

/** Writes the keys `pictures.*` of KV `status`. What was kept is read from there each time: another planner may have led. */
export function createPictureStore({ bucket, clock, log, isFull, leads }: PictureStoreParts): PictureStore {
  let status: PublishedStatus | undefined;
  let table: StampedTable | undefined;
  let last: Taken | undefined;
  /** Keys that no index names; undefined before the first picture, when a process that ended in between may have left some. */
  let unnamed: Set<string> | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  /** As many as NATS had room for. */
  let most = Number.POSITIVE_INFINITY;

  /** The index may name pictures that are gone, where it could not be written after they were removed. */
  async function readKnown(): Promise<readonly number[]> {
    const times = readTimes(await bucket.get(pictureIndexKey));
    if (unnamed !== undefined) return times;
    const there = await bucket.keys(pictureKeys);
    const named = new Set([pictureIndexKey, ...times.map(namePictureKey)]);
    unnamed = new Set([...there].filter((key) => !named.has(key)));
    return times.filter((time) => there.has(namePictureKey(time)));
  }

  /** A sweep leaves no marker of a deleted key. */
  async function sweep(keys: Set<string>): Promise<void> {
    if (keys.size === 0) return;
    const revision = (await bucket.get(pictureIndexKey))?.revision;
    if (revision === undefined) return;
    for (const key of [...keys].slice(0, mostSwept)) {
      if (!leads()) return;
      await bucket.sweep(key, revision);
      keys.delete(key);
    }
  }

  async function take(shown: PublishedStatus): Promise<void> {
    const at = Math.floor(shown.at / 1000);
    const value = printPicture({
      at: new Date(at * 1000).toISOString(),
      status: pack(shown.text),
      ...(table === undefined ? {} : { table: pack(redactJson(JSON.stringify(table))) }),
    });
    if (value === undefined) throw new Error("the status is too large for a picture");
    const known = await readKnown();
    if (!leads()) return;
    await bucket.put(namePictureKey(at), value);
    unnamed?.delete(namePictureKey(at));
    const kept = new Set(choosePictures(known, at, Math.min(most, boundPictures(value.length))));
    // The index is written when its pictures are there, and before those that it does not name any more are removed.
    if (!leads()) return;
    await bucket.put(pictureIndexKey, printPictureIndex([...kept]));
    for (const time of known) if (!kept.has(time)) unnamed?.add(namePictureKey(time));
    await sweep(unnamed ?? new Set());
  }

  /** Removes the older half: without room the planner's status and beat cannot be written, and nothing moves. */
  async function makeRoom(): Promise<void> {
    unnamed = undefined;
    const known = await readKnown();
    // The next take looks again which pictures are there.
    unnamed = undefined;
    const kept = known.slice(Math.ceil(known.length / 2));
    const [oldest] = kept;
    const revision = oldest === undefined ? undefined : (await bucket.get(namePictureKey(oldest)))?.revision;
    if (revision === undefined || !leads()) return;
    await bucket.sweep(pictureKeys, revision);
    most = kept.length;
    log.warn({ removed: known.length - most }, "NATS has no room: the older half of the fleet's pictures was removed");
    nextAt = clock.monotonic() + retryMs;
    if (!leads()) return;
    await bucket.put(pictureIndexKey, printPictureIndex(kept));
    nextAt = clock.monotonic() + fullMs;
  }

  async function tryTo(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ error }, "no picture of the fleet was kept: the page will not show this moment later");
    }
  }

  return {
    noteStatus: (published) => void (status = { ...published, news: published.news.replaceAll(passing, "") }),
    noteTable: (published) => void (table = published),
    async keep() {
      const began = clock.monotonic();
      if (began < nextAt || !leads()) return;
      if (isFull()) {
        nextAt = began + fullMs;
        return tryTo(makeRoom);
      }
      const published = status;
      if (published === undefined) return;
      const shown: Shown = {
        time: published.at,
        status: published.news,
        table: table?.stamp ?? "",
        sequence: published.sequence,
      };
      if (!isPictureDue(shown, last, began)) return;
      // Where it fails, the next one is due in a minute, or when the ledger moves.
      last = { ...shown, status: "", at: began, costMs: 0 };
      await tryTo(async () => {
        await take(published);
        last = { ...shown, at: began, costMs: 0 };
      });
      // A picture that failed has cost its time too.
      last = { ...last, costMs: clock.monotonic() - began };
    },
  };
}
