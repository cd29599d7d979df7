import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import type { Namespace, Workload } from "#libs/fleet";
import { describe, expect, it } from "vitest";

import { applyChange, hashTemplate } from "../fake.ts";
import type { Site } from "../sites/find-site.ts";
import { findOwnWrite } from "../writes/find-own-write.ts";
import { judgeOverwritten } from "../writes/judge-overwritten.ts";
import type { ObjectChange, Planned } from "../writes/object-change.ts";
import { planMove } from "./plan-move.ts";
import { planNamespaceRelabel } from "./plan-namespace-relabel.ts";
import { planNamespaceRollback, planRollback } from "./plan-rollback.ts";

const [old, target] = ["1-24-5", "1-25-2"];
const forward = { run: "0123456789ab", target, attempt: 1 };
const back = { run: "ba9876543210", target: old, attempt: 1 };
const revisions = [old, target].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
const cluster = {
  revisions: [...revisions, { name: "default", webhook: true, istiod: "ready" as const }],
  tags: { default: old },
};
const template: Site = { kind: "template", label: "istio.io/rev" };

function read(planned: Planned): ObjectChange {
  if (planned.kind !== "write") throw new Error(`${planned.kind}: ${planned.why}`);
  return planned.change;
}

function goBack(workload: Workload, site: Site, namespace: Namespace = makeNamespace({})): Workload {
  return applyChange(workload, read(planRollback(workload, site, back, { namespace, cluster })));
}

describe("11.2 a rollback where new pods are labelled by the admission policy", () => {
  it("a first label goes back to the revision that was there before", () => {
    const moved = applyChange(
      makeMeshWorkload(old),
      read(planMove(makeMeshWorkload(old), { kind: "admission" }, forward)),
    );
    expect(goBack(moved, template).template.labels).toEqual({ "istio.io/rev": old });
  });

  it("a workload whose owner put the old label back and whose pods got the target is restarted", () => {
    const label = { labels: { "istio.io/rev": old } };
    const moved = applyChange(
      makeMeshWorkload(old, label),
      read(planMove(makeMeshWorkload(old, label), template, forward)),
    );
    const putBack = { ...moved, template: makeMeshWorkload(old, label).template, admitted: target };
    const { labels, annotations } = goBack(putBack, template).template;
    expect([labels, annotations]).toEqual([{ "istio.io/rev": old }, { "meshroll.dev/restarted-for": old }]);
  });
});

describe("4.6 a rollback restores the previous template exactly, so that the old ReplicaSet is used again", () => {
  const cases: readonly {
    readonly name: string;
    readonly workload: Workload;
    readonly site: Site;
    readonly namespace?: Namespace;
  }[] = [
    {
      name: "the label had the old revision",
      workload: makeMeshWorkload(old, { labels: { "istio.io/rev": old } }),
      site: template,
    },
    {
      name: "there was no revision label, only sidecar.istio.io/inject",
      workload: makeMeshWorkload(old, { labels: { "sidecar.istio.io/inject": "true" } }),
      site: { kind: "template", label: "sidecar.istio.io/inject" },
    },
    {
      name: "the namespace's label decides: the restart annotation is removed again",
      workload: makeMeshWorkload(old, {}),
      site: { kind: "namespace", label: "istio.io/rev" },
      namespace: makeNamespace({ labels: { "istio.io/rev": old } }),
    },
  ];
  it.each(cases)("$name", ({ workload, site, namespace }) => {
    const moved = applyChange(workload, read(planMove(workload, site, forward)));
    const rolledBack = goBack(moved, site, namespace);
    expect(hashTemplate(rolledBack.template)).toBe(hashTemplate(workload.template));
    expect(hashTemplate(moved.template)).not.toBe(hashTemplate(workload.template));
    // It counts as our write, no owner has overwritten it, and planning it again writes nothing.
    expect(findOwnWrite(rolledBack)?.run).toMatchObject({ run: back.run, target: old });
    expect(judgeOverwritten(rolledBack)).toBe(undefined);
    expect(planRollback(rolledBack, site, back, { namespace: namespace ?? makeNamespace({}), cluster }).kind).toBe(
      "nothing",
    );
  });
});

describe("a rollback to a revision that the previous labels do not give", () => {
  it("2.3 moves the workload as any other run does", () => {
    const workload = makeMeshWorkload("1-23-4", { labels: { "istio.io/rev": "1-23-4" } });
    const moved = applyChange(workload, read(planMove(workload, template, forward)));
    const rolledBack = goBack(moved, template);
    expect(rolledBack.template.labels["istio.io/rev"]).toBe(old);
  });

  it("2.3 moves one without annotations of ours, too", () => {
    const workload = makeMeshWorkload(target, { labels: { "istio.io/rev": target } });
    expect(goBack(workload, template).template.labels["istio.io/rev"]).toBe(old);
  });
});

it("5.5 a restored label that its owner sets forward again is overwritten by its owner", () => {
  const workload = makeMeshWorkload(old, { labels: { "istio.io/rev": old } });
  const moved = applyChange(workload, read(planMove(workload, template, forward)));
  const rolledBack = goBack(moved, template);
  const labels = { ...rolledBack.template.labels, "istio.io/rev": target };
  expect(judgeOverwritten({ ...rolledBack, template: { ...rolledBack.template, labels } })?.target).toBe(old);
});

it("5.2 a namespace gets exactly its previous labels: istio-injection returns", () => {
  const namespace = makeNamespace({ labels: { "istio-injection": "enabled", team: "shop" } });
  const workload = makeMeshWorkload(old, {});
  const moved = applyChange(namespace, read(planNamespaceRelabel(namespace, forward)));
  const rolledBack = applyChange(moved, read(planNamespaceRollback(moved, workload, back, cluster)));
  expect(moved.labels).toEqual({ "istio.io/rev": target, team: "shop" });
  expect(rolledBack.labels).toEqual(namespace.labels);
  expect(findOwnWrite(rolledBack)?.run.target).toBe(old);
  expect(planNamespaceRollback(rolledBack, workload, back, cluster).kind).toBe("nothing");
});
