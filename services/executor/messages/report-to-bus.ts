import type { Bus } from "#libs/bus";
import { makeEvent, nameSubject } from "#libs/events";
import type { JudgedWorkload } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

type WorkloadEvent = "workloadMoved" | "workloadMigrated" | "workloadFailed" | "workloadReverted";

/** Reports what happened to a workload; never waits for the receiver and never fails because of it. */
export type Report = (
  name: WorkloadEvent,
  judged: JudgedWorkload,
  run: string,
  failure?: { readonly code?: string; readonly reason: string; readonly reverted: boolean },
) => void;

export function createBusReporter(bus: Bus, clock: Clock, log: Logger): Report {
  return (name, judged, run, failure = { reason: "", reverted: false }) => {
    const { cluster, key, desired } = judged;
    // The id follows from the effect alone: reported twice (a replayed job, a restarted executor) it is one message.
    const id = `${name}-${run}-${cluster}-${key}-${desired}-${judged.workload.uid}`;
    const event = makeEvent(name, id, clock.now(), { run, cluster, workload: key, revision: desired, ...failure });
    bus.publish(nameSubject(event), JSON.stringify(event)).catch((error: unknown) => {
      log.warn({ error, event: event.type }, "the bus did not take a message");
    });
  };
}
