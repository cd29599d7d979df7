import { type DemoContext, until } from "./demo-context.ts";
import { wipeBrokers } from "../world/wipe-brokers.ts";

/** How long nothing may be written after a wipe, real ms; the planner publishes the stop again well before that. */
const silenceMs = 12_000;

/** Wipes both brokers while a run is stopped, and throws when meshroll then writes something. */
export async function wipeWhileStopped(context: DemoContext): Promise<void> {
  const { environment, display, options } = context;
  await until(context, "what is in flight", ({ rollouts }) => rollouts.length === 0);
  const before = context.listWrites().length;
  await wipeBrokers(environment);
  display.say("wiped while the run is stopped: Redis is empty (FLUSHALL), NATS has lost its store");
  await environment.clock.sleepReal(silenceMs, options.signal);
  const written = context.listWrites().slice(before);
  if (written.length > 0) throw new Error(`written after a wipe of a stopped run: ${written.slice(0, 5).join(", ")}`);
  display.say(`${silenceMs / 1000} s later: still stopped, nothing was written`);
}
