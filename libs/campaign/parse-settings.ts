import { type Finding, type Parsed, type Problem, toFinding } from "#libs/spec";

import { type Field, isEmptyField, readFields } from "./field.ts";
import type { NamespaceSelector } from "./label-selector.ts";
import { mostListed, openDocument } from "./open-document.ts";
import { readAsideClusters } from "./read-clusters.ts";
import { completeDefaults, type DefaultsFields, readDefaults } from "./read-defaults.ts";
import { readSelector } from "./read-selector.ts";
import { readChoice, readText } from "./readers.ts";
import { builtInSettings, type Settings } from "./settings.ts";

interface NamespacesFields {
  readonly selector: NamespaceSelector;
}

interface AssignmentFields {
  readonly algorithm: "wrh1";
  readonly seed: string;
}

interface FileFields {
  readonly namespaces: Partial<NamespacesFields>;
  readonly assignment: Partial<AssignmentFields>;
  readonly defaults: Partial<DefaultsFields>;
  readonly clusters: Settings["asideClusters"];
}

function readFile(field: Field): Partial<FileFields> | undefined {
  return readFields<FileFields>(field, {
    namespaces: (child) => readFields<NamespacesFields>(child, { selector: readSelector }),
    assignment: (child) => readFields<AssignmentFields>(child, { algorithm: readChoice("wrh1"), seed: readText(100) }),
    defaults: readDefaults,
    clusters: readAsideClusters,
  });
}

function complete({ namespaces, assignment, defaults, clusters }: Partial<FileFields>): Settings {
  return {
    ...namespaces,
    seed: assignment?.seed ?? builtInSettings.seed,
    ...completeDefaults(defaults ?? {}),
    asideClusters: clusters ?? builtInSettings.asideClusters,
  };
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
