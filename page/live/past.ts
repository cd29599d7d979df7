import type { FleetStatus, NamespaceTable } from "#libs/plan";
import { computed, effect, signal } from "@preact/signals";

import { findNeighbours } from "../model/picture-times.ts";
import { choose, parts, readChoice } from "./address.ts";

type Stamped = NamespaceTable & { readonly stamp: string };

/** What `/` and `/namespaces/NAME` show: the present, or the fleet as it was at the address's `?at=`. */
export type Past =
  | { readonly kind: "now" }
  | { readonly kind: "reading" }
  | {
      readonly kind: "picture";
      readonly status: FleetStatus;
      /** Undefined where the picture was kept without it. */
      readonly table: Stamped | undefined;
    }
  | { readonly kind: "none" }
  | { readonly kind: "badTime" }
  | { readonly kind: "unread"; readonly why: string };

/** Ms until a picture that could not be read is asked for again. */
const againMs = 2000;
/** Ms until the times are read again while an earlier time is shown: there may be later pictures, or the one that is missing. */
const renewMs = 10_000;
/** The times are not read again within so many ms: the slider asks for many pictures. */
const timesMs = 5000;

/** Whether pictures of earlier times can be shown here. */
export const hasPast = computed(() => parts.value.length === 0 || parts.value[0] === "namespaces");

/** The picture that the slider points at while it is moved; the address follows at the end. */
const scrubbed = signal<string | undefined>(undefined);

/** The moment that is asked for; undefined = the present. */
export const asked = computed(() => {
  const at = hasPast.value ? readChoice("at") : "";
  return at === "" ? undefined : (scrubbed.value ?? at);
});

const found = signal<Past | undefined>(undefined);

/** The moments of which there are pictures, the oldest first; undefined before they were read. */
export const times = signal<readonly string[] | undefined>(undefined);

export const past = computed<Past>(() => {
  if (asked.value === undefined) return { kind: "now" };
  return found.value ?? { kind: "reading" };
});

/** The picture that is shown; undefined in the present, and where there is none. */
export const picture = computed(() => (past.value.kind === "picture" ? past.value : undefined));

/** Shows a picture while the slider moves; undefined ends it. */
export function scrub(at: string | undefined): void {
  scrubbed.value = at;
}

/** Ms for which a replay shows a picture. */
const playMs = 600;
/** A replay shows at most so many: it lasts a minute. */
const mostPlayed = 100;

let timesReadAt = Number.NEGATIVE_INFINITY;

/** An answer of the api that is no success. */
class Refused extends Error {}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Refused((body as { readonly message?: string }).message ?? "the api refused it");
  return body as T;
}

async function readTimes(): Promise<readonly string[]> {
  const known = times.peek();
  if (known !== undefined && performance.now() - timesReadAt < timesMs) return known;
  const read = await ask<{ readonly times: readonly string[] }>("/v1/pictures");
  timesReadAt = performance.now();
  times.value = read.times;
  return read.times;
}

/** The picture of one of the times that are kept. */
async function readPicture(at: string): Promise<Past> {
  const query = `?at=${encodeURIComponent(at)}`;
  const [status, table] = await Promise.all([ask<FleetStatus>(`/v1/status${query}`), fetch(`/v1/namespaces${query}`)]);
  if (Number.isNaN(Date.parse(status.at))) return { kind: "none" };
  return { kind: "picture", status, table: table.ok ? ((await table.json()) as Stamped) : undefined };
}

/** The newest picture that is not later. */
async function readPast(at: string): Promise<Past> {
  const wanted = Date.parse(at);
  if (Number.isNaN(wanted)) return { kind: "badTime" };
  try {
    const kept = (await readTimes()).findLast((time) => Date.parse(time) <= wanted);
    return kept === undefined ? { kind: "none" } : await readPicture(kept);
  } catch (error) {
    return { kind: "unread", why: error instanceof Refused ? error.message : "the api does not answer" };
  }
}

let isReading = false;
/** The moment that `found` is of. */
let foundFor: string | undefined;
let again: ReturnType<typeof setTimeout> | undefined;

/** Reads the picture that is asked for, one at a time: while the slider moves, those in between are skipped. */
async function read(): Promise<void> {
  if (isReading) return;
  isReading = true;
  for (let at = asked.peek(); at !== undefined && at !== foundFor; at = asked.peek()) {
    const answer = await readPast(at);
    if (asked.peek() === undefined) break;
    [found.value, foundFor] = [answer, at];
  }
  isReading = false;
  planNext();
}

function planNext(): void {
  clearTimeout(again);
  const kind = found.peek()?.kind;
  if (kind !== undefined) again = setTimeout(() => void readAgain(), kind === "unread" ? againMs : renewMs);
}

async function readAgain(): Promise<void> {
  if (found.peek()?.kind === "picture") {
    // Where it fails the slider keeps the times that it has.
    await readTimes().catch(() => undefined);
    return planNext();
  }
  foundFor = undefined;
  return read();
}

/** Whether pictures follow each other by themselves. */
export const isPlaying = signal(false);
let playing: ReturnType<typeof setInterval> | undefined;

/** Ends the replay, at the picture that is shown. */
export function pause(): void {
  clearInterval(playing);
  isPlaying.value = false;
  const at = scrubbed.peek();
  if (at !== undefined && asked.peek() !== undefined) choose({ at });
  scrubbed.value = undefined;
}

/** Shows the next picture once the last one is there. */
function playNext(stride: number): void {
  const [all, at] = [times.peek() ?? [], picture.peek()?.status.at];
  if (at === undefined || asked.peek() !== foundFor) return;
  const { place } = findNeighbours(all, at);
  scrubbed.value = all[Math.min(all.length - 1, place + stride)];
  if (place + stride >= all.length - 1) pause();
}

/** Shows the pictures from the one that is shown up to the newest; at the newest, all from the oldest on. */
export function play(): void {
  const [all, at] = [times.peek() ?? [], picture.peek()?.status.at ?? ""];
  const { place, later } = findNeighbours(all, at);
  const from = later === undefined ? 0 : place;
  scrubbed.value = all[from];
  isPlaying.value = true;
  const stride = Math.max(1, Math.ceil((all.length - from) / mostPlayed));
  playing = setInterval(() => playNext(stride), playMs);
}

/** Reads pictures as the address asks for them. */
export function followPast(): void {
  // Another time in the address, by a link or the browser's buttons, ends what the slider and a replay showed.
  effect(() => {
    readChoice("at");
    clearInterval(playing);
    [scrubbed.value, isPlaying.value] = [undefined, false];
  });
  effect(() => {
    if (asked.value !== undefined) return void read();
    [found.value, foundFor] = [undefined, undefined];
    return undefined;
  });
}
