import { decide, describeFleet, type FleetStatus, surveyFleet, type World } from "#libs/plan";
import {
  arrived,
  failed,
  makeCluster,
  makeLedger,
  makeStop,
  makeWorkload,
  makeWorld,
  moved,
  runId,
  sha,
} from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const [a, b, c, d] = ["x/a", "y/b", "z/c", "z/d"].map((name) => makeWorkload(name)) as [
  ReturnType<typeof makeWorkload>,
  ReturnType<typeof makeWorkload>,
  ReturnType<typeof makeWorkload>,
  ReturnType<typeof makeWorkload>,
];

function statusOf(world: World): FleetStatus {
  const head = world.specs.get(world.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const { judged, views } = surveyFleet(world, head);
  return describeFleet(world, head, judged, views, decide(world));
}

function worldOf(workloads: readonly ReturnType<typeof makeWorkload>[], change: Partial<World> = {}): World {
  return makeWorld({ clusters: new Map([["one", makeCluster("one", workloads)]]), ...change });
}

describe("the status of one instant", () => {
  test("asked and actual stand together, by namespace; one in between is mixed", () => {
    const status = statusOf(worldOf([arrived(a, "new", runId), b, arrived(c, "new", runId), d]));
    expect(status.where).toMatchObject([
      {
        bucket: "production",
        namespaces: 3,
        mixed: 1,
        shares: [
          { revision: "old", asked: 0, namespaces: 1, actual: 33.3 },
          { revision: "new", asked: 100, namespaces: 1, actual: 33.3 },
        ],
      },
    ]);
  });

  test("a run in figures: each workload once", () => {
    const paused = { ...d, paused: true };
    const status = statusOf(
      worldOf([arrived(a, "new", runId), moved(b, "new", runId), failed(c, "new", runId), paused]),
    );
    expect(status.runs).toMatchObject([{ id: runId, workloads: 4, arrived: 1, moving: 1, due: 0, waiting: 1 }]);
    expect(status.runs[0]?.aside.map(({ workload }) => workload)).toEqual(["z/Deployment/c"]);
    expect(status.doing).toMatchObject([{ cluster: "one", workloads: ["y/Deployment/b"] }]);
  });

  const ledger = openRunLedger({ stops: { f: makeStop({ id: "f", scope: `run/${runId}`, cause: "failures" }) } });
  const cases: readonly { readonly name: string; readonly world: World; readonly want: FleetStatus["state"] }[] = [
    { name: "a run is open", world: worldOf([a]), want: "InProgress" },
    { name: "its failures stopped it", world: worldOf([a], { ledger }), want: "Failed" },
    {
      name: "7.6 no run is open",
      world: worldOf([a], { ledger: makeLedger({ main: sha("head"), judged: sha("head") }) }),
      want: "Idle",
    },
  ];
  test.each(cases)("$name: $want", ({ world, want }) => expect(statusOf(world).state).toBe(want));

  test("a stop is named with whose it is, and with the command that ends it", () => {
    const status = statusOf(worldOf([a], { ledger }));
    expect(status.stops).toMatchObject([{ id: "f", who: "ana" }]);
    expect(status.waitingFor).toMatchObject([
      { code: "Stopped", owner: "ana", command: expect.stringContaining(`meshroll resume run/${runId}`) },
    ]);
  });

  test("1.3 drift is what differs though no run asks", () => {
    const status = statusOf(worldOf([a, b], { ledger: makeLedger({ main: sha("head"), judged: sha("head") }) }));
    expect(status.clusters).toMatchObject([{ name: "one", drift: 2, rolling: 0 }]);
    expect(status.waitingFor).toEqual([]);
  });

  test("9.1 a cluster that was not seen is named with its age", () => {
    const cluster = makeCluster("one", [a], { fresh: false, ageMs: 90_000 });
    const status = statusOf(worldOf([], { clusters: new Map([["one", cluster]]) }));
    expect(status.clusters).toMatchObject([{ fresh: false, ageSeconds: 90 }]);
    expect(status.waitingFor).toMatchObject([{ code: "ClusterUnreachable" }]);
  });
});
