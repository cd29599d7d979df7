import { lookUp } from "#libs/input";
import type { ParsedPatch } from "./patch.ts";

type Reader = (value: unknown) => unknown;

/** Every path that a merge patch may name, and how its value is read. */
const KNOWN: Readonly<Record<string, readonly [field: keyof ParsedPatch, read: Reader]>> = {
  "metadata.resourceVersion": ["resourceVersion", readString],
  "metadata.labels": ["labels", readMap],
  "metadata.annotations": ["annotations", readMap],
  "spec.template.metadata.labels": ["templateLabels", readMap],
  "spec.template.metadata.annotations": ["templateAnnotations", readMap],
  "spec.replicas": ["replicas", readNumber],
  "spec.paused": ["paused", readBoolean],
  data: ["data", readMap],
};

/** Reads a merge patch. A string names what the model does not know or cannot read. */
export function parsePatch(body: unknown): ParsedPatch | string {
  const fields: Record<string, unknown> = {};
  const problem = collect(body, "", fields);
  return problem ?? (fields as ParsedPatch);
}

function collect(node: unknown, path: string, fields: Record<string, unknown>): string | undefined {
  const known = lookUp(KNOWN, path);
  if (known !== undefined) {
    const [field, read] = known;
    fields[field] = read(node);
    return fields[field] === undefined ? `field ${path}: ${JSON.stringify(node)} cannot be read` : undefined;
  }
  const isBranch = path === "" || Object.keys(KNOWN).some((name) => name.startsWith(`${path}.`));
  if (!isBranch || !isObject(node)) return `field ${path || "(root)"} is not known to this model of the API server`;
  for (const [key, value] of Object.entries(node)) {
    const problem = collect(value, path === "" ? key : `${path}.${key}`, fields);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function readMap(value: unknown): Record<string, string | null> | undefined {
  if (!isObject(value)) return undefined;
  const valid = Object.values(value).every((entry) => entry === null || typeof entry === "string");
  return valid ? (value as Record<string, string | null>) : undefined;
}
