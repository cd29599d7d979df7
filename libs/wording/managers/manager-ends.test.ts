import { expect, test } from "vitest";

import { nameManagerEnd } from "./manager-ends.ts";

const cases = [
  {
    manager: "argocd-controller",
    want: /^in Argo CD's Application: ignoreDifferences .*RespectIgnoreDifferences=true/u,
  },
  { manager: "argocd-application-controller", want: /^in Argo CD's Application/u },
  {
    manager: "kustomize-controller",
    want: /^in Flux's Kustomization: spec\.ignore with \/spec\/template\/.* in paths/u,
  },
  { manager: "helm-controller", want: /^in Flux's HelmRelease/u },
  { manager: "helm", want: /^in Helm: the chart's value/u },
  { manager: "kubectl-client-side-apply", want: /meshroll mutate/u },
  { manager: "kubectl", want: /^kubectl rollout undo/u },
  { manager: "kubectl-edit", want: /meshroll mutate/u },
  { manager: "helmsman", want: /^a manifest that names the revision, or a rule of that manager/u },
  { manager: undefined, want: /^a manifest that names the revision, or a rule of that manager/u },
];

test.each(cases)("what ends the writes of $manager", ({ manager, want }) => {
  expect(nameManagerEnd(manager)).toMatch(want);
});
