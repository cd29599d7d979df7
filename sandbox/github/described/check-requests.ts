import type { ValidateFunction } from "ajv";

import { createAjv, type Description, type Operation, readDescription } from "./read-description.ts";

/** A request as a client sent it. */
export interface SentRequest {
  /** GitHub's name of the operation. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What GitHub's description does not allow in a request; undefined when it allows all of it. */
export type RequestCheck = (request: SentRequest) => string | undefined;

/**
 * GitHub ignores fields that it does not know, and so hides a misspelt one: here an object has the described fields only. An
 * alternative inside an object only says how its fields depend on each other, and stays open.
 */
function close(node: unknown, isInside = false): unknown {
  if (Array.isArray(node)) return node.map((each) => close(each, isInside));
  if (typeof node !== "object" || node === null) return node;
  const hasFields = "properties" in node && "type" in node && node.type === "object";
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    close(value, hasFields && /^(?:all|any|one)Of$/.test(name)),
  ]);
  const copy = Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
  return hasFields && !isInside ? { ...copy, additionalProperties: false } : copy;
}

/** The parameters of the path or the query, as an object with a field each. */
function describeParameters({ parameters }: Operation, place: "path" | "query"): object {
  const own = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

interface Part {
  readonly name: "path" | "query" | "body";
  readonly validate: ValidateFunction;
}

/** Numbers and truth values of an address are texts, which are read; those of a body are not. */
function compileParts(operation: Operation, { components }: Description): readonly Part[] {
  const [texts, values] = [createAjv({ coerceTypes: true }), createAjv()];
  const none = { type: "object", additionalProperties: false };
  return [
    { name: "path", validate: texts.compile({ ...describeParameters(operation, "path"), components }) },
    { name: "query", validate: texts.compile({ ...describeParameters(operation, "query"), components }) },
    { name: "body", validate: values.compile({ ...(close(operation.request ?? none) as object), components }) },
  ];
}

function explain({ name, validate }: Part): string {
  const errors = (validate.errors ?? []).map(({ instancePath, message = "", params }) => {
    const extra: unknown = params["additionalProperty"];
    if (typeof extra === "string") return `${name}${instancePath} has ${extra}, which GitHub does not know`;
    return `${name}${instancePath} ${message}`;
  });
  return errors.join("; ");
}

/** Compiles an operation at its first request. */
export function createRequestCheck(): RequestCheck {
  let description: Description | undefined;
  const compiled = new Map<string, readonly Part[]>();

  function compile(route: string): readonly Part[] {
    const known = compiled.get(route);
    if (known !== undefined) return known;
    description ??= readDescription();
    const operation = description.ops.get(route);
    const parts = operation === undefined ? [] : compileParts(operation, description);
    compiled.set(route, parts);
    return parts;
  }

  return ({ route, params, query, body }) => {
    const given = { path: { ...params }, query: Object.fromEntries(query), body };
    const wrong = compile(route).filter(({ name, validate }) => !validate(given[name]));
    if (wrong.length === 0) return undefined;
    return `GitHub does not describe this request, ${route}: ${wrong.map(explain).join("; ")}`;
  };
}
