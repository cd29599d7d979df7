import { type Fault, inTheMiddle, type PassTools } from "../passes/fault.ts";
import { drawBetween } from "../passes/random.ts";

/**
 * All connections break and none is accepted until the outage is named: the last inventory of a cluster is used for a minute.
 */
async function goAwayForLong({ fleet, untilNamed }: PassTools): Promise<void> {
  const back = fleet.kube.faults.refuseConnections();
  await untilNamed("ClusterUnreachable");
  back();
}

/**
 * An executor that starts during the outage never saw the cluster: the inventory of the one before stays, and the cause is
 * named.
 */
async function startWithout({ fleet, untilNamed }: PassTools): Promise<void> {
  const back = fleet.kube.faults.refuseConnections();
  await fleet.kill("executor");
  fleet.startService("executor");
  await untilNamed("ClusterUnreachable");
  back();
}

/** Breaks the watches four times, each time in a random way, after something progressed since the last. */
async function breakWatches({ fleet, random, observer }: PassTools): Promise<void> {
  const { faults } = fleet.kube;
  const ways = [
    () => faults.cutWatches(),
    () => faults.endWatches(),
    () => faults.sendBadLine(),
    () => faults.stallWatches(),
  ];
  for (let round = 0; round < 4; round += 1) {
    ways[drawBetween(random, 0, ways.length - 1)]?.();
    const before = observer.progress();
    // The client's own timeout ends stalled watches; the next fault need not wait for that.
    await fleet.until("it goes on", () => observer.progress() !== before, 2000).catch(() => undefined);
  }
  // That timeout is 75 s of real time (sandbox/kube/reflector.test.ts): a pass ends the watches sooner, as a load balancer
  // would.
  faults.cutWatches();
}

/** Faults of a cluster's API server. */
export const apiServerFaults: readonly Fault[] = [
  {
    name: "api-server-away-long",
    recovery: 15,
    shows:
      "the API server is gone until status names it: nothing is written, then all workloads arrive, one write each",
    play: inTheMiddle("well", goAwayForLong),
  },
  {
    name: "api-server-away-start",
    recovery: 15,
    shows: "an executor starts while the API server is gone: it is named, then all workloads arrive, one write each",
    play: inTheMiddle("well", startWithout),
  },
  {
    name: "watches-cut",
    shows: "watches are cut, ended, fed with nonsense and stalled: nothing is missed and nothing done twice",
    play: inTheMiddle("well", breakWatches),
  },
  {
    name: "history-expired",
    shows: "410: the API server forgot its history and cuts the watches; they start again with a list",
    play: inTheMiddle("withBad", async ({ fleet }) => {
      fleet.model.compactHistory();
      fleet.kube.faults.expireContinue();
      fleet.kube.faults.cutWatches();
    }),
  },
  {
    name: "answers-lost",
    shows: "writes are carried out but their answers never arrive: planned again, they are the same template",
    play: inTheMiddle("well", async ({ fleet, random }) => {
      fleet.model.faults.loseAnswers(drawBetween(random, 1, 3));
    }),
  },
];
