import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { PodKind } from "../../libs/kube/api-types.ts";

import { createModel, type KubeModel } from "./create-model.ts";
import { createStepClock, type StepClock } from "./state/step-clock.ts";

const OLD = "1-29";
const NEW = "1-31";

function createBed(): { readonly clock: StepClock; readonly model: KubeModel } {
  const clock = createStepClock();
  const model = createModel({ clock });
  for (const revision of [OLD, NEW]) model.addIstiod(revision);
  return { clock, model };
}

function add(model: KubeModel, kind: PodKind, options: Parameters<KubeModel["addDeployment"]>[0]) {
  switch (kind) {
    case "Deployment":
      return model.addDeployment(options);
    case "StatefulSet":
      return model.addStatefulSet(options);
    case "DaemonSet":
      return model.addDaemonSet(options);
    case "Rollout":
      return model.addRollout(options);
  }
}

const web = { ns: "shop", name: "web", labels: { "istio.io/rev": OLD } };
const toNew = { templateLabels: { "istio.io/rev": NEW } };
const toOld = { templateLabels: { "istio.io/rev": OLD } };

describe("a rollout", () => {
  for (const kind of ["Deployment", "StatefulSet", "DaemonSet", "Rollout"] as const) {
    it(`of a ${kind} ends with only new pods, within surge and unavailability, from any size`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 100, max: 5_000 }), (replicas, readyMs) => {
          const { clock, model } = createBed();
          const ref = add(model, kind, { ...web, replicas, readyMs: [readyMs, 2 * readyMs] });
          const isReplaced = kind === "Deployment" || kind === "Rollout";
          const surge = isReplaced ? Math.ceil(replicas / 4) : 0;
          const missing = isReplaced ? Math.floor(replicas / 4) : Math.min(1, replicas);
          model.ownerApply(ref, toNew);
          for (let step = 0; step < 400; step++) {
            clock.advance(300);
            const pods = model.podsOf(ref);
            expect(pods.length).toBeLessThanOrEqual(replicas + surge);
            expect(pods.filter(({ ready }) => ready).length).toBeGreaterThanOrEqual(replicas - missing);
          }
          const pods = model.podsOf(ref);
          expect(pods).toHaveLength(replicas);
          expect(pods.every(({ revision, ready }) => revision === NEW && ready)).toBe(true);
        }),
        { numRuns: 15 },
      );
    });

    it(`of a ${kind} that is put back midway ends where it began, on the old template's hash`, () => {
      const { clock, model } = createBed();
      const ref = add(model, kind, { ...web, replicas: 5 });
      const [hash] = model.replicaSetsOf(ref);
      model.ownerApply(ref, toNew);
      clock.advance(3_000);
      expect(model.podsOf(ref).some(({ revision }) => revision === NEW)).toBe(true);
      model.ownerApply(ref, toOld);
      clock.advance(120_000);
      expect(model.podsOf(ref).every((pod) => pod.hash === hash && pod.revision === OLD && pod.ready)).toBe(true);
      expect(model.podsOf(ref)).toHaveLength(5);
      expect(model.replicaSetsOf(ref)).toHaveLength(2);
    });
  }

  it("of a paused Deployment waits until its owner goes on", () => {
    const { clock, model } = createBed();
    const ref = model.addDeployment({ ...web, replicas: 2, paused: true });
    model.ownerApply(ref, toNew);
    clock.advance(60_000);
    expect(model.podsOf(ref).every(({ revision }) => revision === OLD)).toBe(true);
    model.ownerApply(ref, { paused: false });
    clock.advance(60_000);
    expect(model.podsOf(ref).every(({ revision }) => revision === NEW)).toBe(true);
  });

  it("of an OnDelete workload begins when its pods are deleted", () => {
    const { clock, model } = createBed();
    const ref = model.addStatefulSet({ ...web, replicas: 2, onDelete: true });
    model.ownerApply(ref, toNew);
    clock.advance(60_000);
    expect(model.podsOf(ref).every(({ revision }) => revision === OLD)).toBe(true);
    model.deletePods(ref);
    clock.advance(60_000);
    expect(model.podsOf(ref).map(({ revision }) => revision)).toEqual([NEW, NEW]);
  });

  it("of an OrderedReady StatefulSet stays broken although its template was put back (kubernetes#67250)", () => {
    const { clock, model } = createBed();
    const ref = model.addStatefulSet({ ...web, replicas: 3, podManagement: "OrderedReady" });
    model.breakWorkload(ref, { whenRevision: NEW, how: "neverReady" });
    model.ownerApply(ref, toNew);
    clock.advance(60_000);
    model.ownerApply(ref, toOld);
    clock.advance(60_000);
    expect(model.podsOf(ref).filter(({ ready }) => !ready)).toHaveLength(1);
  });
});

describe("a broken workload", () => {
  const cases = {
    "neverReady: the new pods do not get ready, the old ones stay": {
      how: "neverReady",
      want: `${OLD}+ ${OLD}+ ${NEW}-`,
    },
    "crash: the same": { how: "crash", want: `${OLD}+ ${OLD}+ ${NEW}-` },
    "noSidecar: the new pods are ready and not in the mesh": { how: "noSidecar", want: "none+ none+" },
    "wrongSidecar: the new pods run something else": {
      how: "wrongSidecar",
      wrongRevision: "1-30",
      want: "1-30+ 1-30+",
    },
  } as const;
  for (const [name, { want, ...options }] of Object.entries(cases)) {
    it(`C9 ${name}`, () => {
      const { clock, model } = createBed();
      const ref = model.addDeployment({ ...web, replicas: 2 });
      model.breakWorkload(ref, { ...options, whenRevision: NEW });
      model.ownerApply(ref, toNew);
      clock.advance(120_000);
      const told = model.podsOf(ref).map(({ revision = "none", ready }) => revision + (ready ? "+" : "-"));
      expect(told.toSorted().join(" ")).toBe(want);
    });
  }

  it("C10 that crashes late is ready first, and broken afterwards", () => {
    const { clock, model } = createBed();
    const ref = model.addDeployment({ ...web, replicas: 1, readyMs: 1_000 });
    model.breakWorkload(({ name }) => name === "web", { whenRevision: NEW, how: "crash", afterMs: 180_000 });
    model.ownerApply(ref, toNew);
    clock.advance(60_000);
    expect(model.podsOf(ref)).toMatchObject([{ revision: NEW, ready: true }]);
    clock.advance(180_000);
    expect(model.podsOf(ref)).toMatchObject([{ revision: NEW, ready: false }]);
  });

  it("that crashes and is started again gets ready and broken for ever, until it is fixed", () => {
    const { clock, model } = createBed();
    const ref = model.addDeployment({ ...web, replicas: 1, readyMs: 5_000 });
    const fix = model.breakWorkload(ref, { whenRevision: NEW, how: "crash", afterMs: 3_000, againMs: 2_000 });
    model.ownerApply(ref, toNew);
    const seen: boolean[] = [];
    for (let second = 0; second < 30; second += 5) {
      clock.advance(second === 0 ? 6_000 : 5_000);
      seen.push(model.podsOf(ref)[0]?.ready === true);
    }
    fix();
    clock.advance(60_000);
    expect(seen).toEqual([true, false, true, false, true, false]);
    expect(model.podsOf(ref)).toMatchObject([{ revision: NEW, ready: true }]);
  });

  it("breaks running pods at once, and gets ready again when it is fixed", () => {
    const { clock, model } = createBed();
    const ref = model.addDeployment({ ...web, replicas: 2 });
    const fix = model.breakWorkload(ref, { how: "crash" });
    clock.advance(100);
    expect(model.podsOf(ref).map(({ ready }) => ready)).toEqual([false, false]);
    fix();
    clock.advance(10_000);
    expect(model.podsOf(ref).map(({ ready }) => ready)).toEqual([true, true]);
  });
});

it("two models of one seed are the same, event for event", () => {
  const run = () => {
    const { clock, model } = createBed();
    const events: string[] = [];
    model.onEvent(({ type, object, rv }) => events.push(`${rv} ${type} ${object.resource}`));
    const ref = model.addDeployment({ ...web, replicas: 7, readyMs: [500, 9_000] });
    model.ownerApply(ref, toNew);
    clock.advance(120_000);
    return { events, pods: model.podsOf(ref) };
  };
  expect(run()).toEqual(run());
});
