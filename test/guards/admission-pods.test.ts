import { readFileSync } from "node:fs";

import { Environment } from "@marcbachmann/cel-js";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

interface Named {
  readonly name: string;
  readonly expression: string;
}

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly matchConditions?: readonly Named[]; readonly variables?: readonly Named[] };
}

const text = readFileSync(new URL("../../deploy/chart/rights/admission/pods.yaml", import.meta.url), "utf8");
const policies = parseAllDocuments(text).map((each) => each.toJS() as Policy);
const environment = new Environment({ unlistedVariablesAreDyn: true });

interface Pod {
  readonly metadata: object;
  readonly spec: object;
}

/** The policy's conditions and variables for this pod, as the API server evaluates them before it changes a label. */
function evaluate(
  policy: string,
  object: Pod,
  data: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const spec = policies.find(({ kind, metadata }) => kind.endsWith("Policy") && metadata.name === policy)?.spec;
  if (spec === undefined) throw new Error(`there is no policy ${policy}`);
  const context = { object, params: { data } };
  const variables: Record<string, unknown> = {};
  for (const { name, expression } of spec.variables ?? [])
    variables[name] = environment.evaluate(expression, { ...context, variables });
  const conditions = spec.matchConditions ?? [];
  const matches = conditions.every(({ expression }) => environment.evaluate(expression, context) === true);
  return { ...variables, matches };
}

const data = {
  revision: "new",
  "Deployment.web": "5d9f",
  "StatefulSet.db": "db-85",
  "Rollout.roll": "6c8d",
  unlabelled: "new",
};

function makePod(hash: object, kind: string, name: string): Pod {
  const ownerReferences = [{ kind, name, controller: true }];
  return { metadata: { labels: { "istio.io/rev": "old", ...hash }, ownerReferences }, spec: {} };
}

const ofTemplates: readonly (readonly [string, Pod, boolean])[] = [
  [
    "a Deployment's pod of the template in the map",
    makePod({ "pod-template-hash": "5d9f" }, "ReplicaSet", "web-5d9f"),
    true,
  ],
  ["one of another template", makePod({ "pod-template-hash": "77aa" }, "ReplicaSet", "web-77aa"), false],
  [
    "one of a Deployment that the map does not name",
    makePod({ "pod-template-hash": "5d9f" }, "ReplicaSet", "api-5d9f"),
    false,
  ],
  [
    "one of a ReplicaSet whose name is not its own template's",
    makePod({ "pod-template-hash": "5d9f" }, "ReplicaSet", "web"),
    false,
  ],
  [
    "an Argo Rollout's pod of the template in the map",
    makePod({ "rollouts-pod-template-hash": "6c8d" }, "ReplicaSet", "roll-6c8d"),
    true,
  ],
  [
    "a Deployment's pod with the name and hash of a Rollout's",
    makePod({ "pod-template-hash": "6c8d" }, "ReplicaSet", "roll-6c8d"),
    false,
  ],
  ["a StatefulSet's pod", makePod({ "controller-revision-hash": "db-85" }, "StatefulSet", "db"), true],
  ["a Job's pod", makePod({ "controller-revision-hash": "db-85" }, "Job", "db"), false],
  ["a pod without an owner", { metadata: { labels: { "pod-template-hash": "5d9f" } }, spec: {} }, false],
  ["a pod without labels", { metadata: {}, spec: {} }, false],
];

it.each(ofTemplates)("the policy for labelled pods: %s", (_, pod, want) => {
  const { isOld, matches } = evaluate("meshroll-admission", pod, data);
  expect([isOld, isOld === true && matches !== true]).toEqual([want, false]);
  expect(evaluate("meshroll-admission", pod, {})).toMatchObject({ isOld: false, matches: false });
});

const off = (value: string): Pod => ({ metadata: { annotations: { "sidecar.istio.io/inject": value } }, spec: {} });
const ofUnlabelled: readonly (readonly [string, Pod, boolean])[] = [
  ["a bare pod", { metadata: {}, spec: {} }, true],
  ["a pod on the host's network", { metadata: {}, spec: { hostNetwork: true } }, false],
  ["a pod that says that it is not", { metadata: {}, spec: { hostNetwork: false } }, true],
  ["the annotation inject: false", off("False"), false],
  ["the annotation inject: true", off("true"), true],
  ["another annotation", { metadata: { annotations: { a: "b" } }, spec: {} }, true],
];

it.each(ofUnlabelled)("the policy for pods without a label: %s", (_, pod, want) => {
  expect(evaluate("meshroll-admission-unlabelled", pod, data)).toMatchObject({ matches: want });
  expect(evaluate("meshroll-admission-unlabelled", pod, { revision: "new" })).toMatchObject({ matches: false });
});
