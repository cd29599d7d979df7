import { join } from "node:path";

import type { KubeModel } from "#fakes/kube";
import { expect, test } from "vitest";

import { type CliEnvironment, openCliEnvironment } from "./cli-environment.ts";

const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;

/** Two revisions, and one Deployment on the old one. */
function fill(model: KubeModel): void {
  for (const revision of ["1-30", "1-31"]) model.addIstiod(revision);
  model.addDeployment({ ns: "shop", name: "web", replicas: 2, labels: { "istio.io/rev": "1-30" } });
  model.addTag("prod", "1-30");
}

/** Removes every user of the old revision. */
function removeUsers(model: KubeModel): void {
  model.deleteWorkload(ref);
  model.addTag("prod", "1-31");
}

async function retire(environment: CliEnvironment, ...args: readonly string[]) {
  const clusters = ["--clusters", "one", "--kubeconfig", join(environment.folder, "kubeconfig")];
  const { code, stdout, stderr } = await environment.meshroll(["retire", ...args, ...clusters]);
  return { code, text: (stdout + stderr).replaceAll(/\s+/gu, " "), stdout };
}

const oldMain = { "rollouts.yml": "production:\n  1-30: 100\n" };
const newMain = { "rollouts.yml": "production:\n  1-31: 100\n" };

test("a revision in use by pods, templates, a tag, a connected proxy and main: each user is named, with exit code 83", async () => {
  const { code, text } = await retire(await openCliEnvironment(oldMain, fill), "1-30");
  expect(text).not.toContain("kubectl delete");
  expect(code).toBe(83);
  expect(text).toMatch(
    /^1-30 is in use: keep its istiod until all of these are gone ✖ main: production gives it 100 %/u,
  );
  for (const line of [
    "shop/Deployment/web 2 pods run it",
    "shop/Deployment/web its next pod asks for it",
    "tag/prod points to it",
    "2 proxies are connected to it",
  ])
    expect(text).toContain(line);
});

test("without any user the revision is certified, with the cluster's UID and its API server's time", async () => {
  const environment = await openCliEnvironment(newMain, fill);
  removeUsers(environment.model);
  const { code, stdout } = await retire(environment, "1-30", "-o", "json");
  const [uid, readAt] = [expect.stringMatching(/^.+$/u), expect.stringMatching(/^\d{4}-.*Z$/u)] as const;
  const plane = [
    "mutatingwebhookconfigurations.admissionregistration.k8s.io/istio-sidecar-injector-1-30",
    "istio-system/deployments.apps/istiod-1-30",
  ];
  const one = {
    name: "one",
    uid,
    readAt,
    isInstalled: true,
    uses: [],
    ended: [],
    unread: [],
    installedUnread: [],
    installed: plane.map(() => expect.objectContaining({ by: { kind: "manifest" } }) as object),
    delete: plane.map((each) => expect.objectContaining({ objects: [each] }) as object),
  };
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      apiVersion: "meshroll.dev/v1",
      kind: "RetirementCertificate",
      revision: "1-30",
      verdict: "retired",
      main: expect.stringMatching(/^[0-9a-f]{40}$/u),
      waysBack: [],
      clusters: [one],
    },
  ]);
});

test("a certified revision is told with the commands that delete what is there of it, and nothing is deleted", async () => {
  const environment = await openCliEnvironment(newMain, fill);
  removeUsers(environment.model);
  const first = await retire(environment, "1-30");
  expect(first.text).toContain("Deleting is yours. What is there of it goes, in this order, by:");
  expect(first.text).toContain("kubectl delete -n istio-system deployments.apps/istiod-1-30 # in cluster one");
  expect(await retire(environment, "1-30")).toMatchObject({ code: 0 });
});

test("a cluster that cannot be read is not certified, with exit code 69", async () => {
  const environment = await openCliEnvironment(newMain, fill);
  removeUsers(environment.model);
  environment.model.faults.forbid("pods");
  const { code, text } = await retire(environment, "1-30");
  expect([code, text]).toEqual([69, expect.stringContaining("one: not known: pods: pods is forbidden")]);
});

test("a cluster that does not answer prevents the certificate, and the others are still checked", async () => {
  const environment = await openCliEnvironment(newMain, fill);
  const clusters = ["--clusters", "one,two=nowhere", "--kubeconfig", join(environment.folder, "kubeconfig")];
  const { code, stdout } = await environment.meshroll(["retire", "1-30", ...clusters]);
  expect(code).toBe(83);
  expect(stdout.replaceAll(/\s+/gu, " ")).toMatch(/✖ one: .*\? two: not known: .*has no context nowhere/u);
});

test("an unknown revision is refused, because a certificate for it would be trusted", async () => {
  const { code, text } = await retire(await openCliEnvironment(newMain, () => undefined), "1-3O");
  expect([code, text]).toEqual([65, expect.stringContaining("no cluster has an injector of revision 1-3O")]);
});

test("without cluster names no cluster is asked", async () => {
  const { code, stderr } = await (await openCliEnvironment(newMain, fill)).meshroll(["retire", "1-30"]);
  expect([code, stderr]).toEqual([64, expect.stringContaining("no cluster is configured")]);
});
