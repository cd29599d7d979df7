import { readFileSync } from "node:fs";

import { Ajv, type Options } from "ajv";

/** A parameter of the path, of the query, or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: object;
}

/** One operation by GitHub's description. */
export interface Operation {
  readonly parameters: readonly Parameter[];
  /** The body of a request; absent: it takes none. */
  readonly request?: object;
  readonly requestRequired?: boolean;
  /** By status; null: no body. */
  readonly responses: Readonly<Record<string, object | null>>;
}

/** GitHub's description of its API, as far as the stand-in has it. */
export interface Description {
  readonly ops: ReadonlyMap<string, Operation>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const fixture = new URL("../../../test/fixtures/github/openapi-subset.json", import.meta.url);

/** GraphQL is not in the description of REST. */
const graphql: Operation = {
  parameters: [],
  request: {
    type: "object",
    required: ["query"],
    properties: { query: { type: "string" }, variables: { type: "object", additionalProperties: true } },
  },
  requestRequired: true,
  responses: { 200: { type: "object", required: ["data"] } },
};

/** OpenAPI 3.0 writes "or null" next to an enum, or next to alternatives; JSON Schema needs null among them. */
function addNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(addNulls);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, addNulls(value)]));
  const values = copy["enum"];
  if (copy["nullable"] === true && Array.isArray(values)) copy["enum"] = [...values, null];
  if (copy["nullable"] !== true || "type" in copy) return copy;
  const { nullable: _, ...rest } = copy;
  return { anyOf: [rest, { enum: [null] }] };
}

export function readDescription(): Description {
  const { ops, components } = addNulls(JSON.parse(readFileSync(fixture, "utf8"))) as {
    readonly ops: Readonly<Record<string, Operation>>;
    readonly components: Description["components"];
  };
  return { ops: new Map([...Object.entries(ops), ["POST /graphql", graphql]]), components };
}

/** A reader of schemas that knows the formats of the description. */
export function createAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  // GitHub's real answers have an empty text for an address that was never set.
  ajv.addFormat("uri", { validate: (text: string) => text === "" || URL.canParse(text.replaceAll(/\{[^}]*\}/g, "")) });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  for (const name of ["email", "int64", "timestamp", "ssh-url", "repo.nwo"]) ajv.addFormat(name, true);
  return ajv;
}
