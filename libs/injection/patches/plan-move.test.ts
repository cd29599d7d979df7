import fc from "fast-check";
import type { Workload } from "#libs/fleet";
import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import { applyChange, hashTemplate } from "../fake.ts";
import type { Site } from "../sites/find-site.ts";
import { isRelabelledFor } from "../writes/find-own-write.ts";
import type { MoveOrder, ObjectChange, Planned } from "../writes/object-change.ts";
import { planMove } from "./plan-move.ts";
import { planNamespaceRelabel } from "./plan-namespace-relabel.ts";

const old = "1-24-5";
const target = "1-25-2";
const order: MoveOrder = { run: "0123456789ab", target, attempt: 1 };
const template: Site = { kind: "template", label: "istio.io/rev" };
const namespaceSite: Site = { kind: "namespace", label: "istio.io/rev" };
const tag: Site = { kind: "tag", tag: "prod", revision: target, on: "namespace" };
const onTemplate = (sketch = {}) => makeMeshWorkload(old, { labels: { "istio.io/rev": old }, ...sketch });

function read(planned: Planned): ObjectChange {
  if (planned.kind !== "write") throw new Error(`${planned.kind}: ${planned.why}`);
  return planned.change;
}

function write(workload: Workload, site: Site, given: MoveOrder = order): Workload {
  const planned = planMove(workload, site, given);
  return planned.kind === "nothing" ? workload : applyChange(workload, read(planned));
}

describe("planMove", () => {
  it("5.1 template: one patch with the object's resourceVersion: label, previous and run", () => {
    expect(read(planMove(onTemplate(), template, order))).toEqual({
      resourceVersion: "100",
      annotations: {
        "meshroll.dev/run": "0123456789ab 1-25-2",
        "meshroll.dev/previous": '{"template":{"labels":{"istio.io/rev":"1-24-5"}}}',
      },
      template: { labels: { "istio.io/rev": target } },
    });
  });

  it("5.1 template: inject true gets a revision label, which the undo removes again", () => {
    const workload = makeMeshWorkload(old, { labels: { "sidecar.istio.io/inject": "true" } });
    const change = read(planMove(workload, { kind: "template", label: "sidecar.istio.io/inject" }, order));
    expect(change.template).toEqual({ labels: { "istio.io/rev": target } });
    expect(change.annotations?.["meshroll.dev/previous"]).toBe('{"template":{"labels":{"istio.io/rev":null}}}');
  });

  it("5.1 template: restarted-for is written only where no label changes, and the undo restores it", () => {
    const workload = onTemplate({ templateAnnotations: { "meshroll.dev/restarted-for": old } });
    const change = read(planMove(workload, template, order));
    expect(change.template?.annotations).toEqual({ "meshroll.dev/restarted-for": null });
    expect(change.annotations?.["meshroll.dev/previous"]).toBe(
      '{"template":{"labels":{"istio.io/rev":"1-24-5"},"annotations":{"meshroll.dev/restarted-for":"1-24-5"}}}',
    );
  });

  it("5.1 template: a label that its owner already set to the target only needs the restart", () => {
    const workload = makeMeshWorkload(old, { labels: { "istio.io/rev": target } });
    expect(read(planMove(workload, template, order)).template).toEqual({
      annotations: { "meshroll.dev/restarted-for": target },
    });
  });

  it.each([
    ["5.2 namespace", namespaceSite],
    ["5.3 tag", tag],
  ] as const)("%s: a restart for the target, no label of the workload", (_, site) => {
    expect(read(planMove(makeMeshWorkload(old), site, order))).toEqual({
      resourceVersion: "100",
      annotations: {
        "meshroll.dev/run": "0123456789ab 1-25-2",
        "meshroll.dev/previous": '{"template":{"annotations":{"meshroll.dev/restarted-for":null}}}',
      },
      template: { annotations: { "meshroll.dev/restarted-for": target } },
    });
  });

  it("5.3 tag: nothing is written before its owner moved the tag, which is named", () => {
    const planned = planMove(makeMeshWorkload(old), { ...tag, revision: old }, order);
    expect(planned).toEqual({
      kind: "refused",
      why: "revision tag prod points to 1-24-5: its owner moves it first",
    });
  });

  it("3.1 the single try of a workload that was unhealthy before is noted on the object", () => {
    const change = read(planMove(onTemplate(), template, { ...order, unhealthyBefore: true }));
    expect(change.annotations?.["meshroll.dev/run"]).toBe("0123456789ab 1-25-2 UnhealthyBefore");
  });

  it.each([
    { name: "our mark", hand: {} },
    { name: "one by another field manager", hand: { marksBy: { "meshroll.dev/failed": "helm" } } },
  ])("3.3 a retry restarts with #n+1 and removes $name", ({ hand }) => {
    const annotations = { "meshroll.dev/failed": `${target} ReadinessTimeout 2026-11-20T10:00:00Z` };
    const workload = makeMeshWorkload(old, {
      annotations,
      ...hand,
      templateAnnotations: { "meshroll.dev/restarted-for": target },
    });
    const change = read(planMove(workload, tag, { ...order, attempt: 2 }));
    expect(change.template).toEqual({ annotations: { "meshroll.dev/restarted-for": "1-25-2#2" } });
    expect(change.annotations).toMatchObject({
      "meshroll.dev/run": "0123456789ab 1-25-2 #2",
      "meshroll.dev/failed": null,
    });
  });

  it("a failure annotation about another revision stays", () => {
    const annotations = { "meshroll.dev/failed": `1-23-0 ReadinessTimeout 2026-11-20T10:00:00Z` };
    expect(read(planMove(onTemplate({ annotations }), template, order)).annotations).not.toHaveProperty([
      "meshroll.dev/failed",
    ]);
  });

  it("3.4 0 replicas: only the label is written", () => {
    const empty = { replicas: 0, pods: [] };
    expect(read(planMove(onTemplate(empty), template, order)).template).toEqual({ labels: { "istio.io/rev": target } });
    for (const site of [namespaceSite, tag]) {
      expect(read(planMove(makeMeshWorkload(old, empty), site, order))).not.toHaveProperty("template");
    }
  });

  it("an unreadable annotation is not overwritten", () => {
    const workload = onTemplate({ annotations: { "meshroll.dev/previous": "{" } });
    expect(planMove(workload, template, order)).toMatchObject({ kind: "refused" });
  });

  const runs = fc.stringMatching(/^[0-9a-f]{12}$/);
  const manifest: Site = { kind: "manifest", mutatedAt: "2026-11-01T00:00:00Z" };
  const sites = fc.constantFrom(template, manifest, namespaceSite, tag);
  const starts = fc.record({
    label: fc.constantFrom(undefined, old, target, "1-23-0"),
    token: fc.constantFrom(undefined, old, `${old}#2`),
  });

  it("a replay under any later commit gives the same template: one restart", () => {
    fc.assert(
      fc.property(sites, starts, runs, runs, fc.integer({ min: 1, max: 4 }), (site, start, first, later, attempt) => {
        const labels = start.label === undefined ? {} : { "istio.io/rev": start.label };
        const annotations = start.token === undefined ? {} : { "meshroll.dev/restarted-for": start.token };
        const before = makeMeshWorkload(old, { labels, templateAnnotations: annotations });
        const once = write(before, site, { run: first, target, attempt });
        const twice = write(once, site, { run: later, target, attempt });
        expect(hashTemplate(once.template)).not.toBe(hashTemplate(before.template));
        expect(hashTemplate(twice.template)).toBe(hashTemplate(once.template));
        expect(twice.generation).toBe(once.generation);
        expect(twice.annotations["meshroll.dev/previous"]).toBe(once.annotations["meshroll.dev/previous"]);
        expect(planMove(twice, site, { run: later, target, attempt }).kind).toBe("nothing");
        const token = once.template.annotations["meshroll.dev/restarted-for"]?.split("#")[0];
        const isLabel = site.kind === "template" || site.kind === "manifest";
        const written = isLabel ? once.template.labels["istio.io/rev"] : token;
        expect(written).toBe(target);
      }),
    );
  });
});

describe("planNamespaceRelabel", () => {
  it("5.2 namespace: relabelled in one patch with previous and run", () => {
    expect(read(planNamespaceRelabel(makeNamespace({ labels: { "istio.io/rev": old } }), order))).toEqual({
      resourceVersion: "50",
      annotations: {
        "meshroll.dev/run": "0123456789ab 1-25-2",
        "meshroll.dev/previous": '{"labels":{"istio.io/rev":"1-24-5"}}',
      },
      labels: { "istio.io/rev": target },
    });
  });

  it("5.2 namespace: istio-injection=enabled is removed, because Istio prefers it to istio.io/rev", () => {
    const change = read(planNamespaceRelabel(makeNamespace({ labels: { "istio-injection": "enabled" } }), order));
    expect(change.labels).toEqual({ "istio-injection": null, "istio.io/rev": target });
    expect(change.annotations?.["meshroll.dev/previous"]).toBe(
      '{"labels":{"istio-injection":"enabled","istio.io/rev":null}}',
    );
  });

  it("5.2 namespace: written once, however often it is planned, and then begun", () => {
    const namespace = makeNamespace({ labels: { "istio-injection": "enabled", team: "shop" } });
    expect(isRelabelledFor(namespace, target)).toBe(false);
    const begun = applyChange(namespace, read(planNamespaceRelabel(namespace, order)));
    expect(begun.labels).toEqual({ "istio.io/rev": target, team: "shop" });
    expect(isRelabelledFor(begun, target)).toBe(true);
    expect(isRelabelledFor(begun, old)).toBe(false);
    expect(planNamespaceRelabel(begun, order).kind).toBe("nothing");
  });

  it("a later run for the same revision takes it over without losing the undo", () => {
    const namespace = makeNamespace({ labels: { "istio.io/rev": old } });
    const begun = applyChange(namespace, read(planNamespaceRelabel(namespace, order)));
    const change = read(planNamespaceRelabel(begun, { ...order, run: "ba9876543210" }));
    expect(change).toEqual({
      resourceVersion: "51",
      annotations: { "meshroll.dev/run": "ba9876543210 1-25-2" },
    });
  });

  it("an unreadable annotation is not overwritten", () => {
    const namespace = makeNamespace({ annotations: { "meshroll.dev/run": "?" } });
    expect(planNamespaceRelabel(namespace, order)).toMatchObject({ kind: "refused" });
  });
});
