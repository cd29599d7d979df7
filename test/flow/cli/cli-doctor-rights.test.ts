import { readFileSync } from "node:fs";
import { join } from "node:path";

import { admissionRights, executorRights } from "#libs/kube";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { campaign, fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";

const files = { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": campaign };

test("rights for the labels of new pods: an account with none of them is not checked, one with only some fails", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const look = async (wanted = "MR9068") => {
    const clusters = ["--clusters", "one", "--kubeconfig", join(environment.folder, "kubeconfig")];
    const { stdout } = await environment.meshroll(["doctor", "-o", "json", "--only", "k8s", ...clusters]);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly code: string }[] };
    return checks.find(({ code }) => code === wanted);
  };
  // The stand-in serves no such policies.
  expect(await look("MR9071")).toMatchObject({
    state: "notChecked",
    message: expect.stringMatching(
      /^one: no policy can label new pods: its API server \(v1\.\d+\.\d+\S*\) serves no Mutating/u,
    ),
  });
  const allow = environment.model.faults.forbid("mutatingadmissionpolicybindings");
  expect(await look()).toMatchObject({
    state: "failed",
    message:
      "one: may not write the ConfigMaps that label new pods: get mutatingadmissionpolicybindings.admissionregistration.k8s.io, and 1 more",
    fix: expect.stringMatching(
      /admission\/pods\.yaml, then {2}kubectl .*auth can-i get \S+\/meshroll-admission -A\n.*helm upgrade .*labelNewPods=true$/u,
    ),
  });
  environment.model.faults.forbid("configmaps");
  expect(await look()).toMatchObject({
    state: "notChecked",
    message: expect.stringContaining("has admission, and nowhere"),
  });
  allow();
});

test("rights for groups of VMs: an account with none of them is not checked, one with only some fails", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const look = async () => {
    const clusters = ["--clusters", "one", "--kubeconfig", join(environment.folder, "kubeconfig")];
    const { stdout } = await environment.meshroll(["doctor", "-o", "json", "--only", "k8s", ...clusters]);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly code: string }[] };
    return checks.find(({ code }) => code === "MR9072");
  };
  environment.model.faults.forbid("workloadentries");
  expect(await look()).toMatchObject({
    state: "failed",
    message: "one: may not see and move groups of VMs: list workloadentries.networking.istio.io, and 1 more",
    fix: expect.stringMatching(
      /rbac\.yaml, then {2}kubectl .*auth can-i list workloadentries\.networking\.istio\.io -A\n.*helm upgrade .*rights\.create=true$/u,
    ),
  });
  environment.model.faults.forbid("workloadgroups");
  expect(await look()).toMatchObject({
    state: "notChecked",
    message: "one: may not see and move groups of VMs: needed where VMs are moved by WorkloadGroups, and nowhere else",
  });
});

const manifests = [
  { file: "rbac.yaml", rights: executorRights },
  { file: "admission/pods.yaml", rights: admissionRights },
];

test.each(manifests)("doctor asks for exactly the rights that $file grants", ({ file, rights }) => {
  const manifest = readFileSync(new URL(`../../../deploy/chart/rights/${file}`, import.meta.url), "utf8");
  const granted = parseAllDocuments(manifest).flatMap((document) => {
    const {
      kind,
      metadata,
      rules = [],
    } = document.toJS() as {
      readonly kind: string;
      readonly metadata: { readonly namespace?: string };
      readonly rules?: readonly {
        readonly apiGroups: string[];
        readonly resources: string[];
        readonly verbs: string[];
        readonly resourceNames?: string[];
      }[];
    };
    const place = kind === "Role" ? (metadata.namespace ?? "") : "*";
    return rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [""] }) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => [place, apiGroups[0], resource, verb, resourceNames[0]].join(" ")),
      ),
    );
  });
  const asked = rights.map(({ verb, group, resource, subresource, namespace = "*", name = "" }) =>
    [namespace, group, subresource === undefined ? resource : `${resource}/${subresource}`, verb, name].join(" "),
  );
  expect(asked.toSorted()).toEqual(granted.toSorted());
});
