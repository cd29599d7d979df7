import { readdirSync, readFileSync } from "node:fs";

import { parseAllDocuments } from "yaml";
import { describe, expect, it } from "vitest";

import { splitDocuments } from "./text/split-documents.ts";
import { mutateText } from "./test-question.ts";

const folder = new URL("../../test/fixtures/manifests/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

/** How many workloads of each file get the label. Kiali, Grafana and Prometheus opt out of a sidecar. */
const want: Readonly<Record<string, number>> = {
  "bookinfo.yaml": 6,
  "curl.yaml": 1,
  "grafana.yaml": 0,
  "helloworld.yaml": 2,
  "httpbin.yaml": 1,
  "kiali.yaml": 0,
  "loki.yaml": 1,
  "prometheus.yaml": 0,
};

type Values = Record<string, unknown>;

function readAll(text: string): readonly unknown[] {
  return parseAllDocuments(text, { logLevel: "silent" }).map((document) => document.toJS() as unknown);
}

function open(parent: Values, key: string): Values {
  return (parent[key] ??= {}) as Values;
}

function nameOf(document: Values | null): string {
  return document === null ? "" : `${String(document["kind"])} ${String(open(document, "metadata")["name"])}`;
}

function setRevision(document: Values): void {
  const annotations = open(open(document, "metadata"), "annotations");
  annotations["meshroll.dev/mutated-at"] = "2026-11-24T10:00:00Z";
  annotations["meshroll.dev/spec-commit"] = "0123456789ab";
  open(open(open(open(document, "spec"), "template"), "metadata"), "labels")["istio.io/rev"] = "1-25-2";
}

type Result = NonNullable<ReturnType<typeof mutateText>>;

function listWritten({ outcomes }: Result): Result["outcomes"] {
  return outcomes.filter(({ result }) => result.kind === "written");
}

function mutate(text: string): Result {
  const mutated = mutateText(text, { namespace: "shop", verify: true });
  if (mutated === undefined) throw new Error("a real manifest was refused");
  return mutated;
}

describe("manifests of Istio's samples and of charts that Helm rendered", () => {
  it("are all named here", () => expect(files.toSorted()).toEqual(Object.keys(want).toSorted()));

  it.each(Object.entries(want))("%s: %i workloads get the label, every other value stays", (name, count) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    const mutated = mutate(text);
    const written = listWritten(mutated);
    expect(written).toHaveLength(count);
    const names = new Set(written.map((one) => `${one.kind} ${one.name}`));
    const expected = readAll(text) as readonly (Values | null)[];
    for (const document of expected) if (names.has(nameOf(document))) setRevision(document ?? {});
    expect(readAll(mutated.text)).toEqual(expected);
    const pieces = (of: string) => splitDocuments(of).map(({ start, end }) => of.slice(start, end));
    const changed = pieces(mutated.text).filter((piece, index) => piece !== pieces(text)[index]);
    expect(changed).toHaveLength(count);
    expect(mutateText(mutated.text, { namespace: "shop" })?.text).toBe(mutated.text);
  });
});
