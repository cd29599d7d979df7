import { type Found, printTrust, readTrust, type Trust } from "#libs/artifact";

import { writeWhole } from "../disk/write-whole.ts";
import type { Facts } from "../decide/facts.ts";
import { type Memory, spreadPoll } from "./memory.ts";
import type { Parts } from "./parts.ts";

/** More than the metadata of any store. */
const mostBytes = 8 * 1024 ** 2;

/** There is no root to check against. */
export class NoRoot extends Error {
  override readonly name = "NoRoot";
}

async function readKept({ disk, places, warn }: Parts): Promise<Trust> {
  const text = await disk.readText(places.trust, mostBytes);
  const trust = text === undefined ? undefined : readTrust(text);
  if (trust !== undefined) return trust;
  if (text !== undefined)
    warn({ file: places.trust }, "cannot be used: older metadata than was seen before may be believed once");
  const root = await disk.readText(places.firstRoot, mostBytes);
  if (root === undefined)
    throw new NoRoot(
      `${places.firstRoot} is not there: the root.json of your artifact store, which is checked against`,
    );
  return { root };
}

/** A slow store must not keep the agent from looking after what runs. */
async function findInTime(parts: Parts, before: Trust, revision: string, signal?: AbortSignal): Promise<Found> {
  const { platform, storeMs } = parts.settings;
  const turnOver = AbortSignal.timeout(storeMs);
  const limit = signal === undefined ? turnOver : AbortSignal.any([turnOver, signal]);
  try {
    return await parts.findOffer(before, { revision, platform }, limit);
  } catch (error) {
    if (!turnOver.aborted || signal?.aborted === true) throw error;
    return { trust: before, offer: { kind: "unavailable", why: `it took longer than ${storeMs / 1000} s` } };
  }
}

/** Asks the store for a revision's offer, if it is time; stores the new trusted metadata. */
export async function lookUpOffer(
  parts: Parts,
  memory: Memory,
  tag: Facts["tag"],
  signal?: AbortSignal,
): Promise<void> {
  if (tag.kind !== "revision") {
    memory.offer = undefined;
    return;
  }
  const { revision } = tag;
  const now = parts.monotonic();
  if (memory.offer?.revision === revision && now < memory.nextPoll) return;
  const { disk, places, settings, random } = parts;
  const before = await readKept(parts);
  const { trust, offer } = await findInTime(parts, before, revision, signal);
  const text = printTrust(trust);
  if (text !== printTrust(before)) await writeWhole(disk, places.trust, text);
  memory.failures = offer.kind === "artifact" ? 0 : memory.failures + 1;
  memory.offer = { revision, offer };
  memory.nextPoll = now + spreadPoll(settings.pollMs, memory.failures, random());
}
