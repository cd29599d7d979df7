import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { parseAllDocuments } from "yaml";

import { buildPackage } from "../../scripts/package/build-package.ts";
import {
  atMostPeer,
  type Bench,
  fasterThanPeer,
  type Figure,
  findMedian,
  knownMiss,
  limitFigure,
  plainFigure,
  takeMedian,
} from "../bench.ts";
import { writeDeployments, writeDocuments } from "./documents.ts";
import { findKubectl } from "./find-kubectl.ts";
import { countForeignLines } from "./foreign-lines.ts";
import { measureInProcess, mutateBytes, printByLibrary } from "./in-process.ts";
import { type Filter, readPeak, timeFilter } from "./whole-process.ts";

const documents = 10_000;
const rounds = 5;
const root = fileURLToPath(new URL("../..", import.meta.url));
const patch = {
  metadata: { annotations: { "meshroll.dev/mutated-at": "2026-11-24T10:00:00Z" } },
  spec: { template: { metadata: { labels: { "istio.io/rev": "1-25-2" } } } },
};

/** The label in 10,000 manifests, against kubectl, against what copies text, and against the YAML library. */
export const mutateBench: Bench = { name: "mutate", run: runMutate };

async function runMutate(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-mutate-"));
  try {
    writeFileSync(join(folder, "rollouts.yml"), "production:\n  1-25-2: 100\n");
    await buildPackage(join(folder, "package"));
    symlinkSync(join(root, "node_modules"), join(folder, "package", "node_modules"));
    return [...(await compareProcesses(folder)), ...compareInProcess(), ...countForeign(), ...measurePeaks(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package's own command on a text. */
function openFilter(folder: string, text: string): Filter {
  const [input, output] = [join(folder, "input"), join(folder, "output")];
  writeFileSync(input, text);
  const meshroll = join(folder, "package", "bin", "meshroll.mjs");
  return { command: [process.execPath, meshroll, "mutate", "--file", join(folder, "rollouts.yml")], input, output };
}

async function compareProcesses(folder: string): Promise<readonly Figure[]> {
  const ours = openFilter(folder, writeDeployments(documents));
  const metric = `mutate ${documents.toLocaleString("en")} Deployments, whole process`;
  const kubectl = await findKubectl();
  const flags = ["patch", "--local", "-f", "-", "--type=merge", "-p", JSON.stringify(patch), "-o", "yaml"];
  const peer = kubectl && { ...ours, command: [kubectl.path, ...kubectl.prefix, ...flags] };
  const took: Readonly<Record<"ours" | "peer", number[]>> = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round++) {
    took.ours.push(timeFilter(ours));
    requireLabels(ours.output);
    if (peer === undefined) continue;
    took.peer.push(timeFilter(peer));
    requireLabels(peer.output);
  }
  if (peer === undefined) return [plainFigure(metric, takeMedian(took.ours, "s"))];
  const figure = fasterThanPeer(
    metric,
    takeMedian(took.ours, "s"),
    "kubectl patch --local",
    takeMedian(took.peer, "s"),
    20,
  );
  return [knownMiss(figure, compareRounds(took.peer, took.ours) >= 7)];
}

/** The median of the rounds' ratios. */
function compareRounds(over: readonly number[], under: readonly number[]): number {
  return findMedian(over.map((value, round) => value / (under[round] ?? Number.NaN)));
}

/** Throws unless all have the label: only the time of the same work may be compared. */
function requireLabels(output: string): void {
  const labels = readFileSync(output, "utf8").match(/istio\.io\/rev: "?1-25-2/g)?.length ?? 0;
  if (labels !== documents) throw new Error(`${labels} of ${documents} Deployments have the label`);
}

function compareInProcess(): readonly Figure[] {
  const took = measureInProcess(writeDocuments(documents), documents);
  const metric = `mutate ${documents.toLocaleString("en")} documents, in process, each`;
  const ns = (rounds: readonly number[]) => takeMedian(rounds, "ns");
  const text = atMostPeer(metric, ns(took.ours), "UTF-8 decoded and encoded", ns(took.text), 4);
  return [
    atMostPeer(metric, ns(took.ours), "YAML decoded and encoded", ns(took.library), 4),
    knownMiss(text, compareRounds(took.ours, took.text) <= 100),
  ];
}

function countForeign(): readonly Figure[] {
  const text = writeDocuments(documents / 10);
  const count = (mutate: (bytes: Uint8Array) => Buffer) => ({
    value: countForeignLines(text, mutate(Buffer.from(text)).toString()),
    unit: "lines",
  });
  const [ours, library] = [count(mutateBytes), count(printByLibrary)];
  return [
    atMostPeer(`foreign lines changed in ${documents / 10} documents`, ours, "YAML decoded and encoded", library, 0),
  ];
}

/** Most memory for 50 MB: a stream of documents, and one List of JSON. */
function measurePeaks(folder: string): readonly Figure[] {
  const stream = writeDocuments(1000);
  const objects = JSON.stringify(parseAllDocuments(stream).map((document) => document.toJS() as unknown)).slice(1, -1);
  const repeat = (text: string) => Array.from({ length: Math.ceil(50e6 / text.length) }, () => text);
  const texts = {
    "50 MB of documents": repeat(stream).join("---\n"),
    "a List of 50 MB": `{"apiVersion":"v1","kind":"List","items":[${repeat(objects).join(",")}]}\n`,
  };
  return Object.entries(texts).map(([name, text]) => {
    const value = readPeak(openFilter(folder, text));
    return limitFigure(`mutate ${name}: peak RSS`, { value, unit: "MB" }, 700);
  });
}
