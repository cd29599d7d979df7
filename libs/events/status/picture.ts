import { z } from "zod";

import { matchJson } from "../forms.ts";

/**
 * The most bytes of a picture: NATS refuses values of 1 MiB. @internal
 */
export const pictureLimitBytes = 1000 * 1024;

/** The largest time that ISO text with a year of four digits has, epoch seconds. */
const lastSecond = 253_402_300_799;
/** The most times that an index is read with; its writer keeps fewer. */
const mostTimes = 50_000;

/** Key of KV `status` with the times of all pictures. */
export const pictureIndexKey = "pictures.index";
/** All keys of pictures, and their index. */
export const pictureKeys = "pictures.*";

/** Key of the picture of this moment, epoch seconds by the fleet's clock. */
export function namePictureKey(seconds: number): string {
  return `pictures.${seconds}`;
}

/** What the page showed at a moment. Status and table are the JSON that was published, as gzip in base64. */
export interface Picture {
  /** ISO, by the fleet's clock. */
  readonly at: string;
  readonly status: string;
  /** Absent where the picture would be too large with it, and where no table was published yet. */
  readonly table?: string;
  /** What was left out because the picture would be too large. */
  readonly omitted?: "table";
}

const picture = z.object({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("FleetPicture"),
  at: z.string().max(40),
  status: z.string(),
  table: z.string().exactOptional(),
  omitted: z.literal("table").exactOptional(),
});

const index = z.object({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("PictureIndex"),
  times: z.array(z.int().min(0).max(lastSecond)).max(mostTimes),
});

function print(value: Picture): string {
  return JSON.stringify({ apiVersion: "meshroll.dev/v1", kind: "FleetPicture", ...value } satisfies z.infer<
    typeof picture
  >);
}

/** A picture as a value of the bus, without its table where it does not fit; undefined where it is too large even so. */
export function printPicture(value: Picture): string | undefined {
  const whole = print(value);
  if (new TextEncoder().encode(whole).length <= pictureLimitBytes) return whole;
  const { table: _, ...rest } = value;
  const small = print({ ...rest, omitted: "table" });
  return new TextEncoder().encode(small).length <= pictureLimitBytes ? small : undefined;
}

/** Undefined for anything but a picture. */
export function readPicture(text: string): Picture | undefined {
  const read = matchJson(picture, text);
  if (read === undefined) return undefined;
  const { apiVersion: _, kind: __, ...rest } = read;
  return rest;
}

/** The times of all pictures, epoch seconds by the fleet's clock. */
export function printPictureIndex(times: readonly number[]): string {
  return JSON.stringify({ apiVersion: "meshroll.dev/v1", kind: "PictureIndex", times });
}

/** The times, the oldest first; undefined for anything but an index. */
export function readPictureIndex(text: string): readonly number[] | undefined {
  const read = matchJson(index, text);
  return read === undefined ? undefined : [...new Set(read.times)].toSorted((a, b) => a - b);
}
