import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { openWorkshop, rollouts, type Workshop } from "./workshop.ts";

const chart = {
  "rollouts.yml": rollouts,
  "chart/Chart.yaml": "apiVersion: v2\nname: cart\nversion: 1.0.0\n",
  "chart/templates/NOTES.txt": "Look at {{ .Release.Name }} in {{ .Release.Namespace }}.\n",
  "chart/templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }} # the release
spec:
  selector:
    matchLabels: {app: "cart"}
  template:
    metadata:
      labels:
        app: "cart"
    spec:
      containers:
        - name: main
          image: registry.example.com/cart:1
`,
  "chart/templates/migrate.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations:
    helm.sh/hook: pre-install
spec:
  template:
    metadata:
      labels:
        app: migrate
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: registry.example.com/migrate:1
`,
};

const helms = ["helm3", "helm4"] as const;
type Helm = (typeof helms)[number];

function openChart(helm: Helm): Workshop {
  const shop = openWorkshop();
  shop.add(chart);
  if (helm === "helm4") {
    shop.copy("deploy/mutate/helm", "plugin");
    shop.run("helm4", ["plugin", "install", "plugin"]);
  }
  return shop;
}

/** The post-renderer as the how-to names it: Helm 3 takes a program, Helm 4 a plugin. */
function postRender(helm: Helm, args: readonly string[]): readonly string[] {
  const program =
    helm === "helm3"
      ? ["--post-renderer=meshroll", "--post-renderer-args=mutate"]
      : ["--post-renderer=meshroll-mutate"];
  return [...program, ...args.map((arg) => `--post-renderer-args=${arg}`)];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { annotations?: Record<string, string> };
  readonly spec: { readonly template: { readonly metadata: { readonly labels: Record<string, string> } } };
}

/** The rendered documents by kind. */
function readRendered(text: string): Readonly<Record<string, Manifest>> {
  const documents = text.split(/^---\n/m).filter((piece) => piece.trim() !== "");
  return Object.fromEntries(documents.map((piece) => parse(piece) as Manifest).map((each) => [each.kind, each]));
}

function setRevision({ metadata, spec }: Manifest = fail()): void {
  metadata.annotations = { ...metadata.annotations, "meshroll.dev/mutated-at": "2026-11-24T10:00:00Z" };
  spec.template.metadata.labels["istio.io/rev"] = "1-25-2";
}

function fail(): never {
  throw new Error("it was not rendered");
}

const template = ["template", "cart", "chart", "--namespace=shop"];
const shopArgs = ["--file=rollouts.yml", "--namespace=shop", "--strict"];

describe.each(helms)("the real %s with mutate as post-renderer", (helm) => {
  it("renders the label of the release's namespace, and every other value and comment as before", () => {
    const shop = openChart(helm);
    const want = readRendered(shop.run(helm, template));
    const args = [...template, ...postRender(helm, shopArgs)];
    const rendered = shop.run(helm, args);
    setRevision(want["Deployment"]);
    // Only Helm 4 gives hooks to a post-renderer.
    if (helm === "helm4") setRevision(want["Job"]);
    expect(readRendered(rendered)).toEqual(want);
    expect(rendered).toContain("  name: cart # the release\n");
    expect(shop.run(helm, args)).toBe(rendered);
  });

  it("labels hooks too when what it renders is piped through mutate", () => {
    const shop = openChart(helm);
    const want = readRendered(shop.run(helm, template));
    const pipe = `set -o pipefail; ${helm} ${template.join(" ")} | meshroll mutate ${shopArgs.join(" ")}`;
    for (const kind of ["Deployment", "Job"]) setRevision(want[kind]);
    expect(readRendered(shop.run("bash", ["-ec", pipe]))).toEqual(want);
  });

  const errors: Record<string, { readonly args: readonly string[]; readonly want: string }> = {
    "no rollouts file": { args: ["--file=nope.yml"], want: "meshroll: nope.yml: there is no such file\n" },
    "no namespace": {
      args: ["--file=rollouts.yml", "--strict"],
      want: "Deployment cart stays as it is: it names no namespace, so its revision is unknown\n",
    },
  };
  it.each(Object.entries(errors))("ends with mutate's own words and renders nothing: %s", (_, { args, want }) => {
    const { code, printed, said } = openChart(helm).attempt(helm, [...template, ...postRender(helm, args)]);
    expect({ code, printed }).toEqual({ code: 1, printed: "" });
    expect(said).toContain(want);
    expect(said).toContain("Error: error while running post render");
  });
});

describe("helm template --output-dir", () => {
  const folders = { helm3: "files without the label, which the how-to says", helm4: "files with the label" } as const;
  it.each(Object.entries(folders) as [Helm, string][])("of %s writes %s", (helm) => {
    const shop = openChart(helm);
    shop.run(helm, [...template, "--output-dir=out", ...postRender(helm, shopArgs)]);
    const check = shop.attempt("meshroll", ["mutate", "--check", ...shopArgs, "out"]);
    expect(check.code).toBe(helm === "helm3" ? 2 : 0);
  });

  it("of helm4 writes no file where mutate fails", () => {
    const shop = openChart("helm4");
    const args = [...template, "--output-dir=out", ...postRender("helm4", ["--file=nope.yml"])];
    expect(shop.attempt("helm4", args).code).toBe(1);
    expect(shop.run("ls", [])).toBe("chart\nplugin\nrollouts.yml\n");
  });
});

describe("the real helm4 with the plugin of deploy/mutate/helm", () => {
  it("keeps notes and hooks of an installation, and hands on a warning of mutate", () => {
    const shop = openChart("helm4");
    const args = ["install", "cart", "chart", "--namespace=shop", "--dry-run=client"];
    const { code, printed } = shop.attempt("helm4", [...args, ...postRender("helm4", shopArgs)]);
    expect(code).toBe(0);
    expect(printed).toContain("NOTES:\nLook at cart in shop.\n");
    const hooks = printed.slice(printed.indexOf("HOOKS:"), printed.indexOf("MANIFEST:"));
    for (const part of [hooks, printed.slice(printed.indexOf("MANIFEST:"))]) {
      expect(part).toContain('        istio.io/rev: "1-25-2"\n');
      expect(part).not.toContain("postrender-filename");
    }
    const warned = shop.attempt("helm4", [...args, ...postRender("helm4", ["--file=rollouts.yml"])]);
    expect(warned.code).toBe(0);
    expect(warned.said).toContain("it names no namespace");
  });
});
