import { type Finding, type Parsed, type Problem, toFinding } from "#libs/spec";

import { type Field, isEmptyField, locateChild, readFields, type Reader } from "./field.ts";
import type { NamespaceSelector } from "./label-selector.ts";
import { mostListed, openDocument } from "./open-document.ts";
import { readSelector } from "./read-selector.ts";
import { readAmount, readChoice, readCount, readDuration, readText, refuseLater } from "./readers.ts";
import { type BatchSettings, builtInSettings, type Settings } from "./settings.ts";

interface NamespacesFields {
  readonly selector: NamespaceSelector;
}

interface AssignmentFields {
  readonly algorithm: "wrh1";
  readonly seed: string;
}

interface DefaultsFields {
  readonly strategy: Settings["strategy"];
  readonly batch: Partial<BatchSettings>;
  readonly onWorkloadFailure: Settings["onWorkloadFailure"];
}

interface FileFields {
  readonly namespaces: Partial<NamespacesFields>;
  readonly assignment: Partial<AssignmentFields>;
  readonly defaults: Partial<DefaultsFields>;
}

const readStrategy: Reader<Settings["strategy"]> = (field) => {
  const read = readChoice("Batched", "Window", "OnDeploy")(field);
  return read === "OnDeploy" ? refuseLater(field, read, "use Batched or Window") : read;
};

const readBatch: Reader<Partial<BatchSettings>> = (field) => {
  const read = readFields<BatchSettings>(field, {
    batchSize: readCount(1),
    delayBetweenBatches: readDuration(0),
    readinessTimeout: readDuration(1000),
    maxUnavailable: readAmount(1),
    failurePolicy: readChoice("FailFast", "ContinueOnError"),
    maxFailures: readAmount(0),
    maxAttempts: readCount(1),
  });
  if (read?.failurePolicy === "FailFast" && read.maxFailures !== undefined) {
    const message =
      "`failurePolicy: FailFast` stops at the first failure, `maxFailures` allows some: only one of them can hold";
    field.report({
      code: "MR3007",
      span: locateChild(field, "maxFailures"),
      message,
      help: "remove one of the two lines",
    });
  }
  return read;
};

const readDefaults: Reader<Partial<DefaultsFields>> = (field) => {
  const read = readFields<DefaultsFields>(field, {
    strategy: readStrategy,
    batch: readBatch,
    onWorkloadFailure: readChoice("revert", "leave"),
  });
  if (read?.strategy === "Window" && read.batch?.delayBetweenBatches !== undefined) {
    const message = "`delayBetweenBatches` has no effect with `strategy: Window`, which leaves no gap between batches";
    const span = locateChild(field, "strategy");
    field.report({ code: "MR3008", severity: "warning", span, message, help: "remove `delayBetweenBatches`" });
  }
  return read;
};

function readFile(field: Field): Partial<FileFields> | undefined {
  return readFields<FileFields>(field, {
    namespaces: (child) => readFields<NamespacesFields>(child, { selector: readSelector }),
    assignment: (child) => readFields<AssignmentFields>(child, { algorithm: readChoice("wrh1"), seed: readText(100) }),
    defaults: readDefaults,
  });
}

/** `maxFailures` alone is a budget: FailFast, the built-in policy, would contradict it. */
function completeBatch(read: Partial<BatchSettings>): BatchSettings {
  const policy = read.maxFailures === undefined ? builtInSettings.batch.failurePolicy : "ContinueOnError";
  return { ...builtInSettings.batch, failurePolicy: policy, ...read };
}

function complete({ namespaces, assignment, defaults }: Partial<FileFields>): Settings {
  const { batch = {}, ...rest } = defaults ?? {};
  const seed = assignment?.seed ?? builtInSettings.seed;
  return { ...builtInSettings, ...namespaces, ...rest, seed, batch: completeBatch(batch) };
}

/** Reads `meshroll.yml`: every field with its value or built-in value, or all problems at once with their places. */
export function parseSettings(text: string | Uint8Array, file: string): Parsed<Settings> {
  const opened = openDocument(text, file);
  if (!opened.ok) return opened;
  const findings: Finding[] = [];
  const report = (problem: Problem): void => {
    if (findings.length < mostListed) findings.push(toFinding(opened.source, problem));
  };
  // A file of comments only says nothing, which is what no file says.
  const root: Field = { node: opened.root, path: "", key: { start: 0, end: 1 }, report };
  const read = isEmptyField(root) ? {} : readFile(root);
  if (read === undefined || findings.some((finding) => finding.severity === "error")) return { ok: false, findings };
  return { ok: true, value: complete(read), findings };
}
