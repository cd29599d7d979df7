import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { istioKeys, annotationKeys } from "../../libs/fleet/index.ts";

const file = fileURLToPath(new URL("../../deploy/chart/rights/admission.yaml", import.meta.url));
const text = readFileSync(file, "utf8");
const documents = parseAllDocuments(text).map((each) => each.toJS() as Document);

interface Document {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly policyName?: string;
    readonly validationActions?: readonly string[];
    readonly failurePolicy?: string;
    readonly matchConditions?: readonly { readonly expression: string }[];
    readonly validations?: readonly { readonly expression: string }[];
  };
}

/** Keys of labels and annotations that the expressions of the policies name. */
function listKeys(): readonly string[] {
  return [...new Set([...text.matchAll(/"((?:[a-z.]+\/[a-z-]+)|istio-injection)"/g)].map((match) => match[1] ?? ""))];
}

test("the admission policy names exactly the keys that meshroll writes", () => {
  const { run, previous, failed, arrived, restartedFor, vmRevision } = annotationKeys;
  const written = [run, previous, failed, arrived, restartedFor, vmRevision, istioKeys.revision, istioKeys.injection];
  expect(listKeys().toSorted()).toEqual(written.toSorted());
});

test("each admission policy is bound, denies, fails closed, and applies to the executor only", () => {
  const policies = documents.filter(({ kind }) => kind === "ValidatingAdmissionPolicy");
  const bindings = documents.filter(({ kind }) => kind === "ValidatingAdmissionPolicyBinding");
  expect(bindings.map(({ spec }) => [spec.policyName, spec.validationActions])).toEqual(
    policies.map(({ metadata }) => [metadata.name, ["Deny"]]),
  );
  for (const { spec } of policies) {
    expect(spec.failurePolicy).toBe("Fail");
    expect(spec.matchConditions?.map(({ expression }) => expression)).toEqual([
      'request.userInfo.username == "system:serviceaccount:meshroll-system:meshroll-executor"',
    ]);
  }
  expect(policies.map(({ spec }) => spec.validations?.length)).toEqual([7, 3, 4, 1, 3, 3]);
});

test("the executor may create a pod only as a dry run", () => {
  const pods = documents.find(({ kind, metadata }) => {
    return kind === "ValidatingAdmissionPolicy" && metadata.name === "meshroll-executor-pods";
  });
  expect(pods?.spec.validations?.map(({ expression }) => expression)).toEqual(["request.dryRun"]);
});
