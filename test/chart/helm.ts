import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { parse, parseAllDocuments } from "yaml";

import { nameVariable } from "../mutate/tools.ts";

export const helms = ["helm3", "helm4"] as const;
export type Helm = (typeof helms)[number];

export const chartFolder = fileURLToPath(new URL("../../deploy/chart", import.meta.url));

/** What a person must set, and an image. */
export const needed = {
  image: { digest: `sha256:${"ab".repeat(32)}` },
  installation: "testmeshroll",
  repository: { url: "https://github.com/acme/rollouts.git" },
  executor: { clusters: "east" },
};

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

interface Dependency {
  readonly name: string;
  readonly version: string;
}

/** A chart that prints the values that it gets, in the place of one that would have to be fetched. */
function writeStandIn(folder: string, { name, version }: Dependency): void {
  mkdirSync(join(folder, "templates"), { recursive: true });
  writeFileSync(join(folder, "Chart.yaml"), `apiVersion: v2\nname: ${name}\nversion: ${version}\n`);
  const lines = [
    "apiVersion: v1",
    "kind: ConfigMap",
    "metadata: { name: {{ .Values.fullnameOverride }} }",
    "data: { values: {{ toJson .Values | quote }} }",
  ];
  writeFileSync(join(folder, "templates", "values.yaml"), `${lines.join("\n")}\n`);
}

/**
 * A copy of the chart with its dependencies: real ones from the folder that MESHROLL_TEST_CHARTS names, as `helm dependency build`
 * would fetch them, else stand-ins of the same names and versions.
 */
export function copyChart(): { readonly folder: string; readonly remove: () => void } {
  const base = mkdtempSync(join(tmpdir(), "meshroll-chart-"));
  const folder = join(base, "meshroll");
  cpSync(chartFolder, folder, { recursive: true });
  const chart = parse(readFileSync(join(folder, "Chart.yaml"), "utf8")) as { dependencies: readonly Dependency[] };
  const real = process.env["MESHROLL_TEST_CHARTS"] ?? "";
  for (const each of chart.dependencies) {
    const place = join(folder, "charts", each.name);
    if (real === "") writeStandIn(place, each);
    else cpSync(join(real, each.name), place, { recursive: true });
  }
  return { folder, remove: () => rmSync(base, { recursive: true, force: true }) };
}

export interface Attempt {
  readonly code: number | null;
  readonly printed: string;
  readonly said: string;
}

/** Runs Helm with folders of its own, so that no setting of this machine counts. */
export function runHelm(helm: Helm, args: readonly string[], values: object = {}): Attempt {
  const home = mkdtempSync(join(tmpdir(), "meshroll-helm-"));
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const given = Object.keys(values).length === 0 ? [] : ["--values", "-"];
    const done = spawnSync(process.env[nameVariable(helm)] ?? helm, [...args, ...given], {
      env,
      encoding: "utf8",
      input: JSON.stringify(values),
      maxBuffer: 64 * 1024 ** 2,
    });
    return { code: done.status, printed: done.stdout, said: done.stderr };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The documents of a text, without empty ones. */
export function readManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text).flatMap((each) => {
    const found = each.toJS() as Manifest | null;
    return found === null ? [] : [found];
  });
}
