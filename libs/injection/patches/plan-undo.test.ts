import type { Namespace, Workload } from "#libs/fleet";
import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyChange, hashTemplate } from "../fake.ts";
import type { Site } from "../sites/find-site.ts";
import { findOwnWrite } from "../writes/find-own-write.ts";
import type { MoveOrder, ObjectChange, Planned } from "../writes/object-change.ts";
import { planMove } from "./plan-move.ts";
import { planNamespaceRelabel } from "./plan-namespace-relabel.ts";
import { planUndo } from "./plan-undo.ts";

const old = "1-24-5";
const target = "1-25-2";
const order: MoveOrder = { run: "0123456789ab", target, attempt: 1 };
const failure = { revision: target, reason: "ReadinessTimeout", at: "2026-11-20T10:00:00Z" };
const template: Site = { kind: "template", label: "istio.io/rev" };

function read(planned: Planned): ObjectChange {
  if (planned.kind !== "write") throw new Error(`${planned.kind}: ${planned.why}`);
  return planned.change;
}

function move(workload: Workload, site: Site = template, given = order): Workload {
  return applyChange(workload, read(planMove(workload, site, given)));
}

function relabel(labels: Readonly<Record<string, string>>): Namespace {
  const namespace = makeNamespace({ labels });
  return applyChange(namespace, read(planNamespaceRelabel(namespace, order)));
}

function mixed(sketch: Pick<Workload, "admitted"> | object): Workload {
  const pods = [old, target].map((revision) => ({ revision, count: 1, ready: 1 }));
  return makeMeshWorkload(old, { pods, ...sketch });
}

const moved = move(makeMeshWorkload(old, { labels: { "istio.io/rev": old } }));

describe("planUndo", () => {
  it("4.6 failure annotation and undo are one patch, which restores exactly what changed and keeps `run`", () => {
    expect(read(planUndo(moved, failure))).toEqual({
      resourceVersion: "101",
      annotations: {
        "meshroll.dev/failed": "1-25-2 ReadinessTimeout 2026-11-20T10:00:00Z",
        "meshroll.dev/previous": null,
      },
      template: { labels: { "istio.io/rev": old } },
    });
    const undone = applyChange(moved, read(planUndo(moved, failure)));
    expect(Object.keys(undone.annotations).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      "meshroll.dev/failed",
      "meshroll.dev/run",
    ]);
  });

  it.each([
    ["what its pods run", makeMeshWorkload(old, { admitted: old }), old],
    [
      "what its pods run, though the policy gives the next one the target",
      makeMeshWorkload(old, { admitted: target }),
      old,
    ],
    ["what the policy gave them, where its pods run several", mixed({ admitted: old }), old],
    ["no label, where neither is known", mixed({}), undefined],
    ["no label, where that would be the target", mixed({ admitted: target }), undefined],
  ])("11.2 the undo of a first label writes the revision that the workload had: %s", (_, workload, want) => {
    const first = move(workload, { kind: "admission" });
    const undone = applyChange(first, read(planUndo(first, failure)));
    expect(first.template.labels).toEqual({ "istio.io/rev": target });
    expect(undone.template.labels["istio.io/rev"]).toBe(want);
  });

  it("4.4 what main does not ask for is undone without a failure annotation, and so is the try of an unhealthy workload", () => {
    expect(read(planUndo(moved, undefined)).annotations).toEqual({ "meshroll.dev/previous": null });
  });

  it("4.4 a write counts until it is undone, and an owner cannot overwrite an undo", () => {
    expect(findOwnWrite(moved)?.run).toMatchObject({ run: "0123456789ab", target });
    expect(findOwnWrite(applyChange(moved, read(planUndo(moved, failure))))).toBeUndefined();
  });

  it("after an undo a second one does nothing; a late failure annotation is still written", () => {
    const undone = applyChange(moved, read(planUndo(moved, undefined)));
    expect(planUndo(undone, undefined).kind).toBe("nothing");
    expect(read(planUndo(undone, failure))).not.toHaveProperty("template");
  });

  it("what its owner wrote since is not undone", () => {
    const labels = { "istio.io/rev": "1-26-0" };
    const redeployed: Workload = { ...moved, template: { ...moved.template, labels } };
    expect(read(planUndo(redeployed, failure))).not.toHaveProperty("template");
  });

  it("5.2 namespace: its labels are restored", () => {
    const begun = relabel({ "istio-injection": "enabled", team: "shop" });
    const undone = applyChange(begun, read(planUndo(begun, failure)));
    expect(undone.labels).toEqual({ "istio-injection": "enabled", team: "shop" });
    expect(undone.annotations["meshroll.dev/failed"]).toBe("1-25-2 ReadinessTimeout 2026-11-20T10:00:00Z");
  });

  it("5.2 namespace: where its owner put istio-injection back, our label is removed and theirs stays", () => {
    const begun = relabel({ "istio-injection": "enabled" });
    const back: Namespace = { ...begun, labels: { ...begun.labels, "istio-injection": "enabled" } };
    expect(applyChange(back, read(planUndo(back, undefined))).labels).toEqual({ "istio-injection": "enabled" });
  });

  it("5.2 namespace: a revision that its owner wrote since stays", () => {
    const begun = relabel({ "istio.io/rev": old });
    const redone: Namespace = { ...begun, labels: { "istio.io/rev": "1-26-0" } };
    expect(applyChange(redone, read(planUndo(redone, failure))).labels).toEqual({ "istio.io/rev": "1-26-0" });
  });

  it("a move after the owner's own write is rolled back to that write, not to what was there before it", () => {
    const labels = { "istio.io/rev": "1-26-0" };
    const again = move({ ...moved, template: { ...moved.template, labels } });
    expect(read(planUndo(again, failure)).template).toEqual({ labels });
  });

  it("unreadable annotations are left alone", () => {
    const broken: Workload = { ...moved, annotations: { "meshroll.dev/previous": "{" } };
    expect(planUndo(broken, failure)).toMatchObject({ kind: "refused" });
  });

  it("4.6 move and undo restore the same template, restarted-for included, so the old ReplicaSet is used again", () => {
    const sites: readonly Site[] = [
      template,
      { kind: "template", label: "sidecar.istio.io/inject" },
      { kind: "namespace", label: "istio.io/rev" },
      { kind: "tag", tag: "prod", revision: target, on: "template" },
    ];
    const starts = fc.record({
      site: fc.constantFrom(...sites),
      label: fc.constantFrom(undefined, old, "prod", target),
      inject: fc.constantFrom(undefined, "true"),
      token: fc.constantFrom(undefined, old, `${old}#2`, `${target}#7`),
      replays: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
      marked: fc.boolean(),
    });
    fc.assert(
      fc.property(starts, ({ site, label, inject, token, replays, marked }) => {
        const labels = {
          ...(label === undefined ? {} : { "istio.io/rev": label }),
          ...(inject === undefined ? {} : { "sidecar.istio.io/inject": inject }),
        };
        const templateAnnotations = token === undefined ? {} : { "meshroll.dev/restarted-for": token };
        const before = makeMeshWorkload(old, { labels, templateAnnotations });
        let now = before;
        // Several retries before the undo, in any order, count as one move.
        for (const attempt of replays) {
          const planned = planMove(now, site, { ...order, attempt });
          now = planned.kind === "write" ? applyChange(now, planned.change) : now;
        }
        const undone = applyChange(now, read(planUndo(now, marked ? failure : undefined)));
        expect(hashTemplate(now.template)).not.toBe(hashTemplate(before.template));
        expect(hashTemplate(undone.template)).toBe(hashTemplate(before.template));
        expect(undone.annotations).not.toHaveProperty(["meshroll.dev/previous"]);
      }),
    );
  });

  it("the undo of the last of several moves gives the template of the move before", () => {
    const revisions = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(revisions, (chain) => {
        let now = makeMeshWorkload(old, { labels: { "istio.io/rev": old } });
        let last = now;
        for (const revision of chain) {
          const planned = planMove(now, template, { ...order, target: revision });
          if (planned.kind !== "write") continue; // The same revision twice in a row: already written.
          last = now;
          now = applyChange(now, planned.change);
        }
        expect(hashTemplate(applyChange(now, read(planUndo(now, failure))).template)).toBe(hashTemplate(last.template));
      }),
    );
  });
});
