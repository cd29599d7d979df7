import { readFileSync } from "node:fs";

import { Ajv, type ValidateFunction } from "ajv";

import type { Exchange } from "./state/options.ts";

interface Operation {
  readonly responses: Readonly<Record<string, object | null>>;
}

interface Description {
  readonly ops: Record<string, Operation>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Checks answers against GitHub's own OpenAPI description. */
export interface OpenapiCheck {
  readonly operations: ReadonlySet<string>;
  /** What is wrong with an answer; undefined when it matches. */
  findFault(exchange: Exchange): string | undefined;
}

/** OpenAPI 3.0 writes "or null" next to an enum; JSON Schema needs null among its values. */
function addNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(addNulls);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, addNulls(value)]));
  const values = copy["enum"];
  if (copy["nullable"] === true && Array.isArray(values)) copy["enum"] = [...values, null];
  return copy;
}

const fixture = new URL("../../test/fixtures/github/openapi-subset.json", import.meta.url);

/** The fixture lacks this operation and the list of all comments; each answers a list of what its `POST` answers. */
const deploymentStatuses = "/repos/{owner}/{repo}/deployments/{deployment_id}/statuses";

const required =
  "id node_id url repository_url labels_url comments_url events_url html_url number state title user labels assignee " +
  "milestone locked comments closed_at created_at updated_at author_association";

/** Shapes that the fixture refers to but does not contain, as far as our answers use them. */
const unheld = {
  "team-member": { $ref: "#/components/schemas/simple-user" },
  issue: {
    type: "object",
    required: required.split(" "),
    properties: {
      number: { type: "integer" },
      state: { type: "string" },
      labels: { type: "array", items: { $ref: "#/components/schemas/label" } },
      user: { $ref: "#/components/schemas/nullable-simple-user" },
      closed_by: { $ref: "#/components/schemas/nullable-simple-user" },
      created_at: { type: "string", format: "date-time" },
      updated_at: { type: "string", format: "date-time" },
      closed_at: { type: "string", format: "date-time", nullable: true },
      author_association: { $ref: "#/components/schemas/author-association" },
    },
  },
};

const levels = { type: "object", additionalProperties: { enum: ["read", "write", "admin"] } };

const installationRequired =
  "id account repository_selection access_tokens_url repositories_url html_url app_id target_id target_type permissions " +
  "events created_at updated_at single_file_name app_slug suspended_by suspended_at";

/** An App's installation, from GitHub's description. */
const installation = {
  type: "object",
  required: installationRequired.split(" "),
  properties: {
    id: { type: "integer" },
    app_id: { type: "integer" },
    target_id: { type: "integer" },
    account: { $ref: "#/components/schemas/simple-user" },
    repository_selection: { enum: ["all", "selected"] },
    permissions: levels,
    events: { type: "array", items: { type: "string" } },
    suspended_by: { $ref: "#/components/schemas/nullable-simple-user" },
    suspended_at: { type: "string", format: "date-time", nullable: true },
  },
};

/** Operations that the fixture does not contain: one from GitHub's description, the other is GraphQL. */
const unheldOperations: Record<string, Operation> = {
  "GET /repos/{owner}/{repo}/rulesets/{ruleset_id}": {
    responses: {
      200: {
        type: "object",
        required: ["id", "name", "source", "enforcement"],
        properties: {
          id: { type: "integer" },
          source_type: { enum: ["Repository", "Organization", "Enterprise"] },
          enforcement: { enum: ["disabled", "active", "evaluate"] },
          current_user_can_bypass: { enum: ["always", "pull_requests_only", "never", "exempt"] },
        },
      },
    },
  },
  "GET /app": { responses: { 200: { $ref: "#/components/schemas/nullable-integration" } } },
  "GET /app/installations/{installation_id}": { responses: { 200: installation } },
  "GET /repos/{owner}/{repo}/installation": { responses: { 200: installation } },
  "POST /app/installations/{installation_id}/access_tokens": {
    responses: {
      201: {
        type: "object",
        required: ["token", "expires_at"],
        properties: {
          token: { type: "string" },
          expires_at: { type: "string", format: "date-time" },
          permissions: levels,
          repository_selection: { enum: ["all", "selected"] },
        },
      },
    },
  },
  "GET /apps/{app_slug}": { responses: { 200: { $ref: "#/components/schemas/nullable-integration" } } },
  "POST /graphql": { responses: { 200: { type: "object", required: ["data"] } } },
};

export function loadOpenapiCheck(): OpenapiCheck {
  const { ops, ...description } = addNulls(JSON.parse(readFileSync(fixture, "utf8"))) as Description;
  const components = { ...description.components, schemas: { ...unheld, ...description.components.schemas } };
  ops[`GET ${deploymentStatuses}`] = {
    responses: { 200: { type: "array", items: ops[`POST ${deploymentStatuses}`]?.responses["201"] } },
  };
  const comments = "/repos/{owner}/{repo}/issues";
  ops[`GET ${comments}/comments`] = {
    responses: { 200: { type: "array", items: ops[`POST ${comments}/{issue_number}/comments`]?.responses["201"] } },
  };
  Object.assign(ops, unheldOperations);
  ops["GET /repos/{owner}/{repo}/commits/{ref}/statuses"] = {
    responses: {
      200: { type: "array", items: ops["POST /repos/{owner}/{repo}/statuses/{sha}"]?.responses["201"] },
    },
  };
  const ajv = new Ajv({ strict: false, allErrors: true });
  // GitHub's real answers have an empty text for an address that was never set.
  ajv.addFormat("uri", { validate: (text: string) => text === "" || URL.canParse(text.replaceAll(/\{[^}]*\}/g, "")) });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  for (const name of ["email", "int64", "timestamp", "ssh-url"]) ajv.addFormat(name, true);
  const compiled = new Map<string, ValidateFunction>();

  function compile(key: string, schema: object): ValidateFunction {
    const known = compiled.get(key) ?? ajv.compile({ ...schema, components });
    compiled.set(key, known);
    return known;
  }

  function findSchema(route: string, status: number): object | null | undefined {
    const described = ops[route]?.responses[status];
    if (status < 400) return described;
    // An error's forms overlap (each allows any object), so "exactly one of" never matches; 401 is not described.
    const basic = { $ref: "#/components/schemas/basic-error" };
    return described === undefined || described === null || "oneOf" in described ? basic : described;
  }

  return {
    operations: new Set(Object.keys(ops)),
    findFault({ route, status, body }) {
      if (route === undefined || status === 0 || status === 304 || status >= 500) return undefined;
      const schema = findSchema(route, status);
      if (schema === undefined) return `${route} answered ${status}, which GitHub never does`;
      if (schema === null) return body === undefined ? undefined : `${route} answered ${status} with a body`;
      const validate = compile(`${route} ${status}`, schema);
      return validate(body) ? undefined : `${route} ${status}: ${ajv.errorsText(validate.errors)}`;
    },
  };
}
