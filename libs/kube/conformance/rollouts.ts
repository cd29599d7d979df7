import { expect, it } from "vitest";

import type { ContainerSeen, WorkloadRef } from "#libs/fleet";

import type { RolloutRead } from "../port.ts";
import { type Bench, type BenchTools, printPods, useBench } from "./bench.ts";

const [OLD, NEW] = ["1-29", "1-31"];
const labels = { "istio.io/rev": OLD };
const shape = { ns: "shop", name: "web", replicas: 2, labels };

type Breakage = Parameters<BenchTools["ground"]["breakWorkload"]>[1];
type Add = (ground: BenchTools["ground"]) => WorkloadRef;

const addDeployment: Add = (ground) => ground.addDeployment(shape);

interface Case {
  readonly add?: Add;
  readonly breakage: Omit<Breakage, "whenRevision">;
  /** The pods of the view by then. */
  readonly pods: string;
  readonly want: readonly string[];
}

const stuck = "1-29:2/2 1-31:0/1";
const held = "istio-proxy running, web waiting PodInitializing";

const cases: Readonly<Record<string, Case>> = {
  "an image that is not there": {
    breakage: { how: "neverReady", says: "imagePull" },
    pods: stuck,
    want: ["istio-proxy waiting ImagePullBackOff, web waiting PodInitializing"],
  },
  "a container that is killed": {
    breakage: { how: "crash", says: "oomKilled" },
    pods: stuck,
    want: ["web waiting CrashLoopBackOff after 137 OOMKilled, 3 restarts"],
  },
  "no node": {
    breakage: { how: "neverReady", says: "unschedulable" },
    pods: stuck,
    want: [expect.stringMatching(/^0\/20 nodes are available: 20 Insufficient cpu\. preemption: /u)],
  },
  "a proxy that is not ready, of a StatefulSet": {
    add: (ground) => ground.addStatefulSet(shape),
    breakage: { how: "neverReady" },
    pods: "1-29:1/1 1-31:0/1",
    want: [held],
  },
  "a proxy that is not ready, of a DaemonSet": {
    add: (ground) => ground.addDaemonSet(shape),
    breakage: { how: "neverReady" },
    pods: "1-29:1/1 1-31:0/1",
    want: [held],
  },
};

function printContainer({ name, state, last, restarts }: ContainerSeen): string {
  const reason = state.kind === "waiting" ? ` ${state.reason}` : "";
  const ended = last === undefined ? "" : ` after ${last.exitCode} ${last.reason ?? ""}, ${restarts} restarts`;
  return `${name} ${state.kind}${reason}${ended}`;
}

/** Of each pod that is not ready the scheduler's words, or its containers that are not. */
function printSeen(answer: RolloutRead): readonly string[] {
  if (answer.kind === "unread") return [answer.why];
  return answer.rollout.pods
    .filter(({ ready }) => !ready)
    .map(({ unscheduled, containers }) => {
      const unready = containers.filter(({ ready }) => !ready);
      return unscheduled ?? unready.map(printContainer).join(", ");
    });
}

/** What is read of a rollout when it fails. */
export function describeRollouts(make: () => Promise<Bench>): void {
  const bench = useBench(make);

  /** Moves the workload to NEW, where its pods break, until the view shows these pods. */
  const move = async (ref: WorkloadRef, breakage: Omit<Breakage, "whenRevision">, pods: string) => {
    bench.ground.breakWorkload(ref, { whenRevision: NEW, ...breakage });
    await bench.start();
    bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": NEW } });
    bench.advance(30_000);
    await bench.until(() => printPods(bench.see(ref)) === pods);
  };

  const read = async (ref: WorkloadRef) => printSeen(await bench.cluster.readRollout(ref));

  it.each(Object.entries(cases))("%s", async (_, { add = addDeployment, breakage, pods, want }) => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    const ref = add(bench.ground);
    await move(ref, breakage, pods);
    expect(await read(ref)).toEqual(want);
  });

  it("pods of the older template, of other workloads and of other namespaces are not looked at", async () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    const ref = addDeployment(bench.ground);
    const others = [
      bench.ground.addDeployment({ ...shape, name: "web-2" }),
      bench.ground.addDeployment({ ...shape, ns: "other" }),
    ];
    for (const each of [ref, ...others]) bench.ground.breakWorkload(each, { whenRevision: OLD, how: "crash" });
    await move(ref, { how: "neverReady" }, "1-29:0/2 1-31:0/1");
    expect(await read(ref)).toEqual([held]);
  });

  it("a Deployment repeats why none of its new pods could be created", async () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    const ref = addDeployment(bench.ground);
    await bench.start();
    bench.ground.setIstiod(NEW, "missing");
    bench.advance(1_000);
    bench.ground.ownerApply(ref, { templateLabels: { "istio.io/rev": NEW } });
    bench.advance(30_000);
    await bench.until(() => bench.see(ref)?.observedGeneration === 2);
    expect(await bench.cluster.readRollout(ref)).toEqual({
      kind: "read",
      rollout: { pods: [], createRefused: expect.stringContaining("failed calling webhook") },
    });
  });

  it("a pod whose proxy refuses its configuration has the words that its istiod got", async () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    const ref = addDeployment(bench.ground);
    bench.ground.breakWorkload(ref, { whenRevision: NEW, how: "nack" });
    await move(ref, { how: "neverReady" }, stuck);
    const refusals = async () => {
      const answer = await bench.cluster.readRollout(ref);
      return answer.kind === "read" ? answer.rollout.pods.map(({ refusal }) => refusal) : answer.why;
    };
    expect(await refusals()).toEqual([undefined]);
    await bench.cluster.readIstiods();
    const why = "Didn't find a registered implementation for 'istio.metadata_exchange'";
    expect(await refusals()).toEqual([{ type: "Listener", why }]);
  });

  it("of a rollout that is through nothing is told", async () => {
    bench.ground.addIstiod(OLD);
    const ref = addDeployment(bench.ground);
    await bench.start();
    expect(await read(ref)).toEqual([]);
  });

  it("says why it could not be read: a workload that is gone, and pods that may not be listed", async () => {
    const ref = addDeployment(bench.ground);
    await bench.start();
    expect(await read({ ...ref, name: "we" })).toEqual(["Deployment we is gone"]);
    const allow = bench.ground.faults.forbid("pods");
    expect(await read(ref)).toEqual([expect.stringContaining("pods")]);
    allow();
  });
}
