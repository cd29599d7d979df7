import { expect, it } from "vitest";

import { createModel } from "../create-model.ts";
import type { StringMap } from "../objects/objects.ts";
import { createStepClock } from "../state/step-clock.ts";

interface Case {
  readonly namespace?: StringMap;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly hostNetwork?: boolean;
  /** What the default tag points at; absent: there is none. */
  readonly defaultTag?: string;
  readonly wantRevision: string | undefined;
}

const cases: Readonly<Record<string, Case>> = {
  "nothing asks for it": { wantRevision: undefined },
  "the pod's revision": { labels: { "istio.io/rev": "1-29" }, wantRevision: "1-29" },
  "the namespace's revision": { namespace: { "istio.io/rev": "1-31" }, wantRevision: "1-31" },
  "the namespace's revision beats the pod's": {
    namespace: { "istio.io/rev": "1-31" },
    labels: { "istio.io/rev": "1-29" },
    wantRevision: "1-31",
  },
  "a tag is resolved": { labels: { "istio.io/rev": "prod" }, wantRevision: "1-29" },
  "a revision that does not exist: created without a sidecar, silently": {
    labels: { "istio.io/rev": "1-99" },
    wantRevision: undefined,
  },
  "istio-injection=enabled without a default tag": {
    namespace: { "istio-injection": "enabled" },
    wantRevision: undefined,
  },
  "istio-injection=enabled with a default tag": {
    namespace: { "istio-injection": "enabled" },
    defaultTag: "1-31",
    wantRevision: "1-31",
  },
  "istio-injection beats the namespace's revision": {
    namespace: { "istio-injection": "enabled", "istio.io/rev": "1-29" },
    defaultTag: "1-31",
    wantRevision: "1-31",
  },
  "istio-injection beats the pod's revision": {
    namespace: { "istio-injection": "enabled" },
    labels: { "istio.io/rev": "1-29" },
    defaultTag: "1-31",
    wantRevision: "1-31",
  },
  "istio-injection=disabled beats everything": {
    namespace: { "istio-injection": "disabled", "istio.io/rev": "1-29" },
    labels: { "istio.io/rev": "1-29", "sidecar.istio.io/inject": "true" },
    defaultTag: "1-31",
    wantRevision: undefined,
  },
  "inject true alone without a default tag": { labels: { "sidecar.istio.io/inject": "true" }, wantRevision: undefined },
  "inject true alone with a default tag": {
    labels: { "sidecar.istio.io/inject": "true" },
    defaultTag: "1-31",
    wantRevision: "1-31",
  },
  "inject true and a revision": {
    labels: { "sidecar.istio.io/inject": "true", "istio.io/rev": "1-29" },
    defaultTag: "1-31",
    wantRevision: "1-29",
  },
  "inject false": { labels: { "istio.io/rev": "1-29", "sidecar.istio.io/inject": "false" }, wantRevision: undefined },
  "inject false as an annotation": {
    labels: { "istio.io/rev": "1-29" },
    annotations: { "sidecar.istio.io/inject": "false" },
    wantRevision: undefined,
  },
  "host network": { labels: { "istio.io/rev": "1-29" }, hostNetwork: true, wantRevision: undefined },
};

for (const [name, { namespace = {}, wantRevision, defaultTag, ...pod }] of Object.entries(cases)) {
  it(`C13 ${name}`, () => {
    const model = createModel({ clock: createStepClock() });
    for (const revision of ["1-29", "1-31"]) model.addIstiod(revision);
    model.addTag("prod", "1-29");
    if (defaultTag !== undefined) model.addTag("default", defaultTag);
    model.addNamespace("shop", { labels: namespace });
    const ref = model.addDeployment({ ns: "shop", name: "web", ...pod });
    expect(model.podsOf(ref).map(({ revision }) => revision)).toEqual([wantRevision]);
  });
}

it("W1 an istiod that does not answer refuses its pods, host network or not, until it is back", () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  model.addIstiod("1-29");
  model.setIstiod("1-29", "unready");
  clock.advance(1_000);
  const ref = model.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "1-29" }, hostNetwork: true });
  clock.advance(60_000);
  expect(model.podsOf(ref)).toEqual([]);
  model.setIstiod("1-29", "ready");
  clock.advance(60_000);
  expect(model.podsOf(ref)).toMatchObject([{ ready: true }]);
});

it("5.3 tag: pods that are there keep their revision when the tag moves; a restart moves them", () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  for (const revision of ["1-29", "1-31"]) model.addIstiod(revision);
  model.addTag("prod", "1-29");
  const ref = model.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "prod" } });
  model.addTag("prod", "1-31");
  clock.advance(60_000);
  expect(model.podsOf(ref)).toMatchObject([{ revision: "1-29" }]);
  model.ownerApply(ref, { templateAnnotations: { "kubectl.kubernetes.io/restartedAt": "now" } });
  clock.advance(60_000);
  expect(model.podsOf(ref)).toMatchObject([{ revision: "1-31" }]);
});

it("where the webhooks of two revisions match a pod, the last one by its name injects it", () => {
  const model = createModel({ clock: createStepClock() });
  for (const revision of ["1-29", "1-31"]) model.addIstiod(revision);
  // A tag that is named as the other revision: `istio-revision-tag-…` comes before `istio-sidecar-injector-…`.
  model.addTag("1-31", "1-29");
  const ref = model.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "1-31" } });
  expect(model.podsOf(ref).map(({ revision }) => revision)).toEqual(["1-31"]);
});
