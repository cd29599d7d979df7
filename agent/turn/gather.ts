import type { Facts } from "../decide/facts.ts";
import type { AgentState } from "../decide/state.ts";
import type { ProxyProcess } from "../proxy/port.ts";
import { listSlots, readCurrent, readSlotManifest } from "../slots/slots.ts";
import { lookUpOffer } from "./look-up.ts";
import type { Memory } from "./memory.ts";
import type { Parts } from "./parts.ts";

/** Follows the newest proxy: since when it runs, and since when it is ready. */
async function watch(
  parts: Parts,
  memory: Memory,
  newest: ProxyProcess | undefined,
): Promise<{ runsForMs: number; readyForMs: number }> {
  const now = parts.monotonic();
  if (newest === undefined) {
    memory.watched = undefined;
    return { runsForMs: 0, readyForMs: 0 };
  }
  const before =
    memory.watched?.pid === newest.pid ? memory.watched : { pid: newest.pid, since: now, readySince: undefined };
  const isReady = await parts.proxies.isReady();
  memory.watched = { ...before, readySince: isReady ? (before.readySince ?? now) : undefined };
  const { since, readySince } = memory.watched;
  // At least 1: 0 would mean not ready.
  return { runsForMs: now - since, readyForMs: readySince === undefined ? 0 : Math.max(1, now - readySince) };
}

function readKeptFor(memory: Memory, state: AgentState, now: number): number {
  const digest = state.kept?.digest;
  if (digest === undefined) return 0;
  // A new agent does not know how long it was kept, so there is no probation.
  if (memory.kept?.digest !== digest) memory.kept = { digest, since: Number.NEGATIVE_INFINITY };
  return now - memory.kept.since;
}

/** The control plane of the trial, or else of the offer; true where there is neither. */
async function askControlPlane(
  { disk, places, answers }: Parts,
  state: AgentState,
  offer: Facts["offer"],
): Promise<boolean> {
  const { trial, kept } = state;
  if (trial !== null) {
    const manifest = await readSlotManifest(disk, places, trial.digest);
    return manifest === undefined || answers(manifest.discoveryAddress);
  }
  if (offer?.kind !== "artifact" || offer.artifact.digest === kept?.digest) return true;
  return answers(offer.artifact.manifest.discoveryAddress);
}

/** All facts for the next decision. Throws `NoRoot` and the disk's errors. */
export async function gather(parts: Parts, memory: Memory, state: AgentState, signal?: AbortSignal): Promise<Facts> {
  const { disk, places, proxies, boot } = parts;
  const tag = await parts.tag.read();
  // During a trial the store is not asked: the trial must end first.
  if (state.trial === null) await lookUpOffer(parts, memory, tag, signal);
  const offer = tag.kind === "revision" && memory.offer?.revision === tag.revision ? memory.offer.offer : undefined;
  const running = await proxies.list();
  const newest = running.at(-1);
  return {
    state,
    current: await readCurrent(disk, places),
    slots: await listSlots(disk, places),
    tag,
    offer,
    running: newest?.digest,
    ...(await watch(parts, memory, newest)),
    keptForMs: readKeptFor(memory, state, parts.monotonic()),
    restarts: memory.restarts,
    controlPlaneAnswers: await askControlPlane(parts, state, offer),
    boot,
    now: parts.now(),
  };
}
