import { setTimeout as sleep } from "node:timers/promises";

import { printRequest, readClusterFacts } from "#libs/events";

import { addApps, printRollouts, printSettings } from "./files.ts";
import { type Rig, startRig, until } from "./rig.ts";

/** Pauses, one after the other. */
const rounds = 5;
/** How long writes are watched for after the acknowledgement, real ms: thirty times the distance of two patches. */
const watchMs = 2500;

/** One `pause all` while the fleet moves, real ms. */
export interface PauseReading {
  /** From the request to its acknowledgement, which is its entry in the cluster's recorded stops. */
  readonly ackMs: number;
  /** From the acknowledgement to the last patch; negative when that came before. */
  readonly lastWriteMs: number;
}

/** True when the executor has recorded the stop in its cluster, from where it holds whatever ends (rules 7.3). */
async function isRecorded({ bus }: Rig, id: string): Promise<boolean> {
  const entry = await bus.bucket("inventory").get("one._");
  const facts = entry?.value === undefined ? undefined : readClusterFacts("one", entry.value);
  return facts?.stops.recorded[id] !== undefined;
}

async function request({ bus }: Rig, verb: "stop" | "resume", id: string): Promise<void> {
  const at = new Date().toISOString();
  const text = printRequest({ id, verb, scope: "all", strength: "move", who: "ana", why: "a bench", at });
  await bus.bucket("control").put(`request.${id}`, text);
}

async function untilMigrating(rig: Rig): Promise<void> {
  const before = rig.patches.length;
  await until("the fleet moves", () => rig.patches.length > before + 3);
}

async function measurePause(rig: Rig, round: number): Promise<PauseReading> {
  await untilMigrating(rig);
  const id = `pause-${round}`;
  const askedAt = performance.now();
  await request(rig, "stop", id);
  await until("the pause is acknowledged", async () => isRecorded(rig, id));
  const ackAt = performance.now();
  await sleep(watchMs);
  const last = rig.patches.at(-1)?.at ?? 0;
  await request(rig, "resume", `resume-${round}`);
  return { ackMs: ackAt - askedAt, lastWriteMs: last - ackAt };
}

/** Pauses a moving fleet several times. */
export async function measurePauses(): Promise<readonly PauseReading[]> {
  const rig = await startRig({
    clusters: ["one"],
    factor: 10,
    fill: (model) => addApps(model, 2000, 1000),
    files: { "rollouts.yml": printRollouts(0), "meshroll.yml": printSettings("batchSize: 5") },
  });
  try {
    rig.startExecutor();
    rig.start("planner", { MESHROLL_GIT_POLL_SECONDS: "0.5" });
    await rig.merge({ "rollouts.yml": printRollouts(100) });
    const readings: PauseReading[] = [];
    for (let round = 0; round < rounds; round++) readings.push(await measurePause(rig, round));
    return readings;
  } finally {
    await rig.stop();
  }
}
