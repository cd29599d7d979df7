import { z } from "zod";

import { type AgentState, firstState } from "../decide/state.ts";
import type { Disk } from "../disk/port.ts";
import { writeWhole } from "../disk/write-whole.ts";
import type { Places } from "./places.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const named = z.strictObject({ digest, revision: z.string().max(80) });
const failure = z.enum(["ProxyDied", "ProxyNotReady", "RulesFailed", "StartFailed"]);

const schema = z.strictObject({
  formatVersion: z.literal(1),
  kept: named.nullable(),
  previous: named.nullable(),
  trial: named
    .extend({
      from: named.nullable(),
      back: failure.nullable(),
      launchedIn: z.string().max(80).nullable(),
      launches: z.int().min(0),
    })
    .nullable(),
  rulesOf: digest.nullable(),
  attempted: named.nullable(),
  succeeded: z.array(z.string().max(80)).max(64),
  failed: z.array(named.extend({ failure })).max(64),
  stuck: failure.nullable(),
  newestTime: z.number().min(0),
});

const mostBytes = 256 * 1024;

/** An unusable state file is kept under another name, and not read again. */
export type ReadState = { readonly state: AgentState; readonly broken: boolean };

function parse(text: string): AgentState | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Reads the state. An incomplete or wrongly edited file counts as none: the live link then shows what runs, and is trusted
 * because it is switched atomically.
 */
export async function readState(
  disk: Disk,
  places: Places,
  current: () => Promise<{ digest: string; revision: string } | undefined>,
): Promise<ReadState> {
  const text = await disk.readText(places.state, mostBytes);
  const isThere = (await disk.stat(places.state)) !== undefined;
  const state = text === undefined ? undefined : parse(text);
  if (state !== undefined) return { state, broken: false };
  const live = await current();
  const kept = live === undefined ? {} : { kept: live, succeeded: [live.revision], rulesOf: live.digest };
  return { state: { ...firstState, ...kept }, broken: isThere };
}

export async function writeState(disk: Disk, places: Places, state: AgentState): Promise<void> {
  await writeWhole(disk, places.state, `${JSON.stringify(state, null, 2)}\n`);
}

/** Moves an unusable state file out of the way, for people. */
export async function putBrokenStateAway(disk: Disk, places: Places): Promise<void> {
  await disk.rename(places.state, `${places.state}.broken`);
}
