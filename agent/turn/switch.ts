import { join } from "node:path";

import type { Manifest } from "#libs/artifact";
import type { SwitchFailure } from "#libs/wording";

import { type AgentState, recordLaunch, type Trial } from "../decide/state.ts";
import { planLaunch } from "../proxy/plan-launch.ts";
import type { ProxyProcess } from "../proxy/port.ts";
import { readCurrent, readSlotManifest, swapTo } from "../slots/slots.ts";
import { writeState } from "../slots/state-file.ts";
import type { Parts } from "./parts.ts";

interface Slot {
  readonly digest: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

async function findSlot({ disk, places }: Parts, digest: string): Promise<Slot | undefined> {
  const manifest = await readSlotManifest(disk, places, digest);
  return manifest === undefined ? undefined : { digest, folder: join(places.slots, digest), manifest };
}

/** Identifies the rules that a slot would make: its program's bytes and arguments. */
function identifyRules({ manifest }: Slot): string {
  return manifest.files.find(({ name }) => name === manifest.rules)?.sha256 ?? "";
}

async function save(parts: Parts, state: AgentState): Promise<AgentState> {
  await writeState(parts.disk, parts.places, state);
  return state;
}

/**
 * Removes the active rules by the program that made them, while its slot is live: another program may not know what it added.
 */
async function removeRules(parts: Parts, state: AgentState, to: Slot): Promise<AgentState> {
  const { rulesOf } = state;
  if (rulesOf === null) return state;
  const owner = await findSlot(parts, rulesOf);
  if (owner === undefined) return save(parts, { ...state, rulesOf: null });
  if (identifyRules(owner) === identifyRules(to)) return state;
  await parts.rules.run("down", owner);
  return save(parts, { ...state, rulesOf: null });
}

/** Recorded first, so that incomplete rules are known and removed. */
async function addRules(parts: Parts, state: AgentState, to: Slot): Promise<Switched> {
  if (to.manifest.rules === undefined) return { state };
  const next = state.rulesOf === to.digest ? state : await save(parts, { ...state, rulesOf: to.digest });
  return attempt("RulesFailed", next, async () => parts.rules.run("up", to).then(() => next), parts);
}

/** Ms in which a failed proxy has to end: the way back takes a minute at most, and its connections came to nothing. */
const failedMs = 2_000;

/**
 * Ends what failed, which need not answer, so nothing takes over from it. The proxy before may still run: it stays when it is ready
 * without the failed one, and is ended when it has given its listeners away.
 */
async function endFailed(
  { proxies }: Parts,
  to: Slot,
  running: readonly ProxyProcess[],
): Promise<readonly ProxyProcess[]> {
  const own = running.findLastIndex(({ digest }) => digest === to.digest);
  for (const proxy of running.slice(own + 1)) await proxies.stop(proxy, failedMs);
  const before = running.slice(0, own + 1);
  if (before.length > 0 && (await proxies.isReady())) return before;
  for (const proxy of before) await proxies.stop(proxy, failedMs);
  return [];
}

/** Starts a slot's proxy, so that it takes over where it can. `failure`: what it is gone back for. */
async function startProxy(parts: Parts, to: Slot, failure: SwitchFailure | null): Promise<void> {
  const { proxies } = parts;
  const found = await proxies.list();
  // One that failed by its rules only, and has taken over, hands its connections back.
  const hasTakenOver = found.every(({ digest }) => digest !== to.digest);
  const isWell = failure === null || (failure === "RulesFailed" && hasTakenOver);
  const running = isWell ? found : await endFailed(parts, to, found);
  const slots = await Promise.all(running.map(async ({ digest }) => findSlot(parts, digest)));
  const known = new Map(slots.flatMap((slot) => (slot === undefined ? [] : [[slot.digest, slot.manifest] as const])));
  const plan = planLaunch(to, running, (digest) => known.get(digest));
  if (plan.kind === "runs") return;
  const within = failure === null ? undefined : failedMs;
  if (plan.kind === "restart") for (const proxy of plan.stop) await proxies.stop(proxy, within);
  const { start, revision, discoveryAddress } = to.manifest;
  const epoch = plan.kind === "takeOver" ? plan.epoch : 0;
  await proxies.launch({ digest: to.digest, folder: to.folder, start, revision, discoveryAddress, epoch });
}

/** The progress of a switch, and the failure that ended it. */
export interface Switched {
  readonly state: AgentState;
  readonly failure?: SwitchFailure;
}

async function attempt(
  failure: SwitchFailure,
  state: AgentState,
  work: () => Promise<AgentState>,
  parts: Parts,
): Promise<Switched> {
  try {
    return { state: await work() };
  } catch (error) {
    // A disk error is not a failure of the artifact.
    if (isDiskFault(error)) throw error;
    parts.warn({ error, failure }, "a step of the switch failed");
    return { state, failure };
  }
}

const diskFaults: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

function isDiskFault(error: unknown): boolean {
  return diskFaults.has((error as NodeJS.ErrnoException).code);
}

/**
 * Remove old rules, switch the link, start, add new rules. Each step can be repeated, so an agent continues after a kill or a
 * power cut.
 */
export async function switchTo(parts: Parts, before: AgentState, trial: Trial): Promise<Switched> {
  const to = await findSlot(parts, trial.digest);
  if (to === undefined) return { state: before, failure: "StartFailed" };
  const cleared = await attempt("RulesFailed", before, async () => removeRules(parts, before, to), parts);
  // The program of a revision that failed may fail as well: that keeps nothing from going back.
  if (cleared.failure !== undefined && trial.back === null) return cleared;
  if ((await readCurrent(parts.disk, parts.places)) !== to.digest) await swapTo(parts.disk, parts.places, to.digest);
  const started = await attempt(
    "StartFailed",
    cleared.state,
    async () => {
      await startProxy(parts, to, trial.back);
      return save(parts, recordLaunch(cleared.state, parts.boot));
    },
    parts,
  );
  if (started.failure !== undefined) return started;
  return addRules(parts, started.state, to);
}

/** Removes rules for good. Rules that cannot be removed stay recorded, and the next switch tries again. */
export async function dropRules(parts: Parts, state: AgentState): Promise<AgentState> {
  const owner = state.rulesOf === null ? undefined : await findSlot(parts, state.rulesOf);
  if (owner === undefined) return state;
  const dropped = async (): Promise<AgentState> => {
    await parts.rules.run("down", owner);
    return { ...state, rulesOf: null };
  };
  return (await attempt("RulesFailed", state, dropped, parts)).state;
}

/** Starts the kept proxy again after its end or a boot, after which there are no rules. */
export async function restartKept(parts: Parts, state: AgentState, digest: string): Promise<Switched> {
  const slot = await findSlot(parts, digest);
  if (slot === undefined) return { state, failure: "StartFailed" };
  if ((await readCurrent(parts.disk, parts.places)) !== digest) await swapTo(parts.disk, parts.places, digest);
  const started = await attempt(
    "StartFailed",
    state,
    async () => startProxy(parts, slot, null).then(() => state),
    parts,
  );
  return started.failure === undefined ? addRules(parts, state, slot) : started;
}
