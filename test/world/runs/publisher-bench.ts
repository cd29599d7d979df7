import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { BusRefused, type KeyValue } from "#libs/bus";
import { nameRunKey, readRunReport } from "#libs/events";
import type { FleetStatus, RunReport, Snapshot } from "#libs/plan";
import { instantRun, statusOf } from "../campaigns/campaign-instant.ts";

import { createRunPublisher } from "../../../services/planner/publishing/runs/publish-runs.ts";

const second = 1000;

/** A publisher of runs on a bus of its own, for tests. */
export function makeBench(isFailing: (call: string) => boolean = () => false) {
  const [clock, server] = [createVirtualClock(), createFakeBusServer()];
  const real = openFakeBus(server).bucket("status");
  const calls: string[] = [];
  const note = (call: string): void => {
    if (isFailing(call)) throw new BusRefused("permissions violation");
    calls.push(call);
  };
  const bucket: KeyValue = {
    ...real,
    put: async (key, value) => {
      note(`put ${key}`);
      return real.put(key, value);
    },
    get: async (key) => {
      note(`get ${key}`);
      return real.get(key);
    },
  };
  const warnings: string[] = [];
  const warn = (...said: readonly unknown[]): void => void warnings.push(String(said[1]));
  const state = { leads: true };
  const start = () => createRunPublisher({ bucket, clock, log: { warn }, leads: () => state.leads });
  let runs = start();
  const read = async (id = instantRun): Promise<RunReport | undefined> =>
    readRunReport((await real.get(nameRunKey(id)))?.value ?? "");
  /** One reconcile; its status is described where it has news. */
  const reconcile = async (snapshot: Snapshot, status: FleetStatus | undefined = statusOf(snapshot)): Promise<void> => {
    if (status !== undefined) runs.notice(status);
    await runs.publish({ snapshot, decisions: [] });
  };
  const restart = (): void => void (runs = start());
  const countPuts = () => calls.filter((call) => call.startsWith("put")).length;
  /** So many reconciles, each when the next write is due. */
  const reconcileTimes = async (times: number, snapshot: Snapshot): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) {
      await reconcile(snapshot);
      await clock.advance(5 * second);
    }
  };
  return { clock, server, bucket: real, reconcile, reconcileTimes, restart, read, countPuts, calls, warnings, state };
}
