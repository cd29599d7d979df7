import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { listAdded, openWorkshop, rollouts, wantLines, type Workshop } from "./workshop.ts";

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
spec:
  selector:
    matchLabels:
      app: cart
  template:
    metadata:
      labels:
        app: cart
    spec:
      containers:
      - image: registry.example.com/cart:1
        name: main
`;

function openOverlay(): Workshop {
  const shop = openWorkshop();
  shop.add({
    "base/deployment.yaml": deployment,
    "base/kustomization.yaml": "resources: [deployment.yaml]\nnamespace: shop\n",
    "kustomization.yaml": "resources: [base]\n",
    "rollouts.yml": rollouts,
  });
  return shop;
}

describe("the real kustomize", () => {
  it("adds the label when its output is piped through mutate", () => {
    const shop = openOverlay();
    const plain = shop.run("kustomize", ["build", "."]);
    const piped = shop.run("bash", [
      "-ec",
      "set -o pipefail; kustomize build . | meshroll mutate --file rollouts.yml -f -",
    ]);
    expect(listAdded(plain, piped)).toEqual(wantLines);
  });

  it("adds the label by the KRM function that the repository ships, and is repeatable", () => {
    const shop = openOverlay();
    const plain = shop.run("kustomize", ["build", "."]);
    shop.copy("deploy/mutate/kustomize", ".");
    shop.add({ "kustomization.yaml": "resources: [base]\ntransformers: [mutate.yaml]\n" });
    const build = ["build", "--enable-alpha-plugins", "--enable-exec", "."];
    const mutated = shop.run("kustomize", build);
    expect(listAdded(plain, mutated)).toEqual(wantLines.map((line) => line.replaceAll(/"(1-25-2)"/g, "$1")));
    expect(shop.run("kustomize", build)).toBe(mutated);
  });
});

describe("the config management plugin of Argo CD", () => {
  it("renders the same bytes for the same commit, with the file of the rollouts repository", () => {
    const shop = openOverlay();
    shop.add({ "spec/rollouts.yml": rollouts });
    for (const folder of [".", "spec"]) {
      const git = ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"];
      shop.run("git", [...git, "init", "-q", "-b", "main"]);
      shop.run("git", [...git, "add", "rollouts.yml"]);
      shop.run("git", [...git, "commit", "-q", "-m", "one"], { GIT_COMMITTER_DATE: "2026-11-24T10:00:00Z" });
    }
    const file = new URL("../../deploy/mutate/argocd/plugin.yaml", import.meta.url);
    const { spec } = parse(readFileSync(file, "utf8")) as {
      readonly spec: {
        readonly generate: { readonly command: readonly [string, ...string[]]; readonly args: readonly string[] };
      };
    };
    const [command, ...flags] = spec.generate.command;
    const env = { ARGOCD_APP_NAMESPACE: "shop", ARGOCD_ENV_ROLLOUTS_REPO: `${shop.folder}/spec` };
    const generate = () => shop.run(command, [...flags, ...spec.generate.args], env);
    const commit = shop.run("git", ["-C", "spec", "rev-parse", "HEAD"]).trim();
    const [annotations, time, label] = wantLines;
    const want = [annotations, time, `meshroll.dev/spec-commit: "${commit}"`, label];
    expect(listAdded(shop.run("kustomize", ["build", "."]), generate())).toEqual(want);
    expect(generate()).toBe(generate());
  });
});
