import { join } from "node:path";

import type { KubeModel } from "#fakes/kube";
import { describe, expect, test } from "vitest";

import { type CliEnvironment, openCliEnvironment } from "../cli/cli-environment.ts";

const labels = { "istio.io/rev": "1-24-5" };
const job = { apiVersion: "batch/v1", kind: "Job", name: "report" };

const campaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: istio-1-25 }
spec:
  target: 1-25-2
  replaces: [1-24-5]
  stages:
    - { name: all, set: { production: 100 } }
`;
const files = {
  "rollouts.yml": "production:\n  1-24-5: 0\n  1-25-2: 100\n",
  "campaigns/istio-1-25.yml": campaign,
};

/** All managed workloads run the new revision. */
function fill(model: KubeModel): void {
  for (const revision of ["1-24-5", "1-25-2"]) model.addIstiod(revision);
  model.addDeployment({ ns: "shop", name: "web", replicas: 2, labels: { "istio.io/rev": "1-25-2" } });
}

async function open(more: (model: KubeModel) => void): Promise<CliEnvironment> {
  return openCliEnvironment(files, (model) => {
    fill(model);
    more(model);
  });
}

/** Output of a command, with single spaces between words. */
async function ask(environment: CliEnvironment, ...args: readonly string[]) {
  const look = ["--kubeconfig", join(environment.folder, "kubeconfig"), "--clusters", "one"];
  const { code, stdout, stderr } = await environment.meshroll([...args, ...look]);
  return { code, stdout, text: (stdout + stderr).replaceAll(/\s+/gu, " ") };
}

interface Listed {
  readonly items: readonly { readonly revision: string; readonly [field: string]: unknown }[];
}

const none = { pods: 0, workloads: 0, others: 0, completed: 0, failed: 0, asks: 0, state: "unused" };

async function countUsers(environment: CliEnvironment, revision = "1-24-5") {
  const { stdout } = await ask(environment, "get", "revisions", "-o", "json");
  const found = (JSON.parse(stdout) as Listed).items.find((each) => each.revision === revision);
  const fields = Object.keys(none).map((field) => [field, found?.[field]] as const);
  return Object.fromEntries(fields);
}

interface Case {
  readonly name: string;
  readonly fill: (model: KubeModel) => void;
  /** Its name in the output of `finish` and `explain`. */
  readonly want: string;
}

const owners: readonly Case[] = [
  {
    name: "a Job",
    fill: (model) => model.addPod({ ns: "shop", name: "report-x", labels, owner: job }),
    want: "Job/report",
  },
  {
    name: "the ReplicaSet of an Argo Rollout",
    fill: (model) =>
      model.addPod({
        ns: "shop",
        name: "roll-5d-x",
        labels: { ...labels, "rollouts-pod-template-hash": "5d" },
        owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "roll-5d" },
      }),
    want: "Rollout/roll",
  },
  {
    name: "a StatefulSet that was deleted, with the name of one that is there",
    fill: (model) => {
      model.addStatefulSet({ ns: "shop", name: "db", labels: { "istio.io/rev": "1-25-2" } });
      const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: "an-earlier-one" };
      model.addPod({ ns: "shop", name: "db-9", labels, owner });
    },
    want: "StatefulSet/db",
  },
];

describe("a live pod on the old revision, whatever owns it", () => {
  test.each(owners)("of $name is named by finish, get revisions, explain and retire", async ({ fill: add, want }) => {
    const environment = await open(add);
    const finish = await ask(environment, "finish", "istio-1-25", "--dry-run");
    expect(finish.text).toContain(
      `! 1 workload still runs 1-24-5: keep its istiod until it is gone one shop/${want} 1 pod`,
    );
    expect(finish.text).not.toContain("everywhere it should be");
    const json = await ask(environment, "finish", "istio-1-25", "--dry-run", "-o", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      finished: false,
      leftovers: [{ workload: `shop/${want}`, pods: 1 }],
    });
    expect(await countUsers(environment)).toEqual({ ...none, pods: 1, others: 1, state: "in-use" });
    const explained = await ask(environment, "explain", "shop");
    expect(explained.text).toContain("1 of another kind");
    expect(explained.text).toContain(`one ${want} 1-24-5`);
    expect((await ask(environment, "retire", "1-24-5")).code).toBe(83);
  });
});

describe("ended pods run nothing and are counted separately", () => {
  test.each(["Succeeded", "Failed"] as const)("%s", async (phase) => {
    const environment = await open((model) => {
      model.addPod({ ns: "shop", name: "report-x", labels, owner: job });
      model.endPod("shop", "report-x", phase);
    });
    const ended = phase === "Failed" ? { failed: 1 } : { completed: 1 };
    expect(await countUsers(environment)).toEqual({ ...none, ...ended });
    const { text } = await ask(environment, "finish", "istio-1-25", "--dry-run");
    expect(text).toContain("no live pod and no VM runs 1-24-5 any more");
    expect(text).toContain(phase === "Failed" ? "0 completed pods, 1 failed" : "1 completed pod, 0 failed");
    expect(text).toContain("everywhere it should be");
  });
});

const asking: readonly Case[] = [
  {
    name: "the label of an empty namespace",
    fill: (model) => model.addNamespace("nightly", { labels }),
    want: "Namespace/nightly",
  },
  { name: "a tag", fill: (model) => model.addTag("prod", "1-24-5"), want: "tag/prod" },
  {
    name: "istio-injection in an empty namespace, by the default tag",
    fill: (model) => {
      model.addTag("default", "1-24-5");
      model.addNamespace("nightly", { labels: { "istio-injection": "enabled" } });
    },
    want: "Namespace/nightly",
  },
];

describe("a setting that gives the next pod to the old revision", () => {
  test.each(asking)("$name: it is named, and not counted as a live pod", async ({ fill: add, want }) => {
    const environment = await open(add);
    const { text } = await ask(environment, "finish", "istio-1-25", "--dry-run");
    expect(text).toContain("! workloads without live pods, whose next pod would run 1-24-5:");
    expect(text).toContain(`one ${want} 1-24-5`);
    expect(text).toContain("no live pod and no VM runs 1-24-5 any more");
    expect(await countUsers(environment)).toMatchObject({ pods: 0, state: "requested" });
    expect((await ask(environment, "retire", "1-24-5")).text).toContain(want);
  });
});
