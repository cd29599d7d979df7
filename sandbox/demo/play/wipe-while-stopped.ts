import { type Stage, until } from "./stage.ts";
import { wipeBrokers } from "../world/wipe-brokers.ts";

/** So long nothing is done after a wipe, real ms: the planner has said again what is stopped well before that. */
const silenceMs = 12_000;

/** Both brokers wiped while a run is stopped: everything that could start something is there again, and nothing starts. */
export async function wipeWhileStopped(stage: Stage): Promise<void> {
  const { environment, display, options } = stage;
  await until(stage, "what is in flight", ({ doing }) => doing.length === 0);
  const before = stage.listWrites().length;
  await wipeBrokers(environment);
  display.say("wiped while the run is stopped: Redis is empty (FLUSHALL), NATS has lost its store");
  await environment.clock.sleepReal(silenceMs, options.signal);
  const written = stage.listWrites().slice(before);
  if (written.length > 0) throw new Error(`written after a wipe of a stopped run: ${written.slice(0, 5).join(", ")}`);
  display.say(`${silenceMs / 1000} s later: still stopped, nothing was written`);
}
