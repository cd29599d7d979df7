import { gunzipSync } from "node:zlib";

import type { KeyValue } from "#libs/bus";
import { namePictureKey, type Picture, pictureIndexKey, readPicture, readPictureIndex } from "#libs/events";

/** One part of a picture: JSON, also as the gzip that the planner made. */
export interface PackedPart {
  readonly text: string;
  readonly packed: Buffer;
}

/** What the page showed at a moment. */
export interface FoundPicture {
  readonly status: PackedPart;
  /** Undefined where it was left out, or was not known then. */
  readonly table: PackedPart | undefined;
}

/** The pictures that the planner keeps. */
export interface PicturesView {
  /** Epoch seconds by the fleet's clock, the oldest first; the same array while nothing changes. Undefined until the index was read. */
  times(): readonly number[] | undefined;
  /** The newest picture that is not later than this moment, epoch ms. Throws what the bus throws. */
  find(at: number): Promise<FoundPicture | undefined>;
}

/** So many are kept unpacked: several people look at the same moment, and one goes back and forth. */
const mostCached = 8;
/** So many pictures that the index names and that are not there are skipped for one question. */
const mostSkipped = 3;
/** A status has at most 0.9 MB, and a table of 20,000 namespaces two. */
const mostUnpacked = { maxOutputLength: 16 * 1024 * 1024 } as const;

/** Undefined for what is no gzip of such JSON: other programs may write to the bus. */
function unpack(part: string | undefined, kind: string): PackedPart | undefined {
  if (part === undefined) return undefined;
  try {
    const packed = Buffer.from(part, "base64");
    const text = gunzipSync(packed, mostUnpacked).toString("utf8");
    const read = JSON.parse(text) as { readonly kind?: unknown } | null;
    return read?.kind === kind ? { text, packed } : undefined;
  } catch {
    // It is answered as if there were no such picture.
    return undefined;
  }
}

function unpackPicture(picture: Picture | undefined): FoundPicture | undefined {
  const status = unpack(picture?.status, "FleetStatus");
  return status === undefined ? undefined : { status, table: unpack(picture?.table, "NamespaceTable") };
}

/** Follows the index in KV `status`; a picture is read when a caller asks for it. */
export async function followPictures(bucket: KeyValue, signal: AbortSignal): Promise<PicturesView> {
  let times: readonly number[] | undefined;
  /** What a replay of the key brought so far. */
  let replayed: readonly number[] | undefined;
  const cached = new Map<number, Promise<FoundPicture | undefined>>();

  /** A picture that the index does not name any more may be written again with other bytes. */
  function name(read: readonly number[]): void {
    times = read;
    const named = new Set(read);
    for (const time of cached.keys()) if (!named.has(time)) cached.delete(time);
  }

  const watcher = {
    onEntry({ value }: { readonly value?: string }) {
      // A deleted index names nothing; a foreign one is ignored.
      const read = value === undefined ? [] : readPictureIndex(value);
      if (read === undefined) return;
      name(read);
      replayed = read;
    },
    onReady() {
      name(replayed ?? []);
    },
    onReset() {
      replayed = undefined;
      cached.clear();
    },
  };
  await bucket.watch(pictureIndexKey, watcher, signal);

  async function read(seconds: number): Promise<FoundPicture | undefined> {
    const value = (await bucket.get(namePictureKey(seconds)))?.value;
    return unpackPicture(value === undefined ? undefined : readPicture(value));
  }

  async function get(seconds: number): Promise<FoundPicture | undefined> {
    const known = cached.get(seconds);
    if (known !== undefined) return known;
    const [oldest] = cached.keys();
    if (oldest !== undefined && cached.size >= mostCached) cached.delete(oldest);
    const asked = read(seconds);
    cached.set(seconds, asked);
    try {
      const found = await asked;
      // The bus may have lost it, and the planner may write that moment again.
      if (found === undefined) cached.delete(seconds);
      return found;
    } catch (error) {
      cached.delete(seconds);
      throw error;
    }
  }

  return {
    times: () => times,
    async find(at) {
      const earlier = (times ?? []).filter((time) => time * 1000 <= at);
      for (const time of earlier.slice(-mostSkipped).toReversed()) {
        const found = await get(time);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
