import type { FleetFlow } from "../fleet-flow.ts";
import type { Disturb } from "./stories.ts";

/** Which processes are killed. */
export type Victim = "planner" | "executor" | "both";

function drop(flow: FleetFlow, victim: Victim): void {
  if (victim !== "executor") flow.dropPlanner();
  if (victim !== "planner") flow.dropExecutor();
}

function start(flow: FleetFlow, victim: Victim): void {
  if (victim !== "executor") flow.startPlanner();
  if (victim !== "planner") flow.startExecutor();
}

/** Kills right after the git server accepted a push: the planner gets no answer and publishes nothing. */
export const killAtEachRecord =
  (victim: Victim): Disturb =>
  (flow) => {
    let isDead = false;
    flow.server.onPushed = (user) => {
      if (user !== "planner" || isDead) return;
      isDead = true;
      drop(flow, victim);
    };
    return async () => {
      if (isDead) start(flow, victim);
      isDead = false;
    };
  };

/** Kills right after the API server accepted a write: the executor gets no answer and publishes nothing. */
export const killAtEachWrite =
  (victim: Victim): Disturb =>
  (flow) => {
    let isDead = false;
    flow.model("one").onWrite(({ fieldManager, status }) => {
      if (fieldManager !== "meshroll" || status >= 300 || isDead) return;
      isDead = true;
      drop(flow, victim);
    });
    return async () => {
      if (isDead) start(flow, victim);
      isDead = false;
    };
  };

/** Kills at these seconds of the story, in the middle of any work, and starts again at once. */
export const killAtSeconds =
  (victim: Victim, isMoment: (second: number) => boolean): Disturb =>
  (flow) => {
    let second = 0;
    return async () => {
      second += 1;
      if (!isMoment(second)) return;
      drop(flow, victim);
      await flow.pass(0);
      start(flow, victim);
    };
  };

/** Asks to end at these seconds, as an upgrade does. */
export const endAtSeconds =
  (victim: Victim, isMoment: (second: number) => boolean): Disturb =>
  (flow) => {
    let second = 0;
    return async () => {
      second += 1;
      if (!isMoment(second)) return;
      if (victim !== "executor") await flow.stopPlanner();
      if (victim !== "planner") await flow.stopExecutor("one");
      start(flow, victim);
    };
  };
