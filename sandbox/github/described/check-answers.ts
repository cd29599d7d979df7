import type { ValidateFunction } from "ajv";

import type { Exchange } from "../state/options.ts";
import { createAjv, readDescription } from "./read-description.ts";

/** Checks answers against GitHub's own OpenAPI description. */
export interface AnswerCheck {
  readonly operations: ReadonlySet<string>;
  /** What is wrong with an answer; undefined when it matches. */
  findFault(exchange: Exchange): string | undefined;
}

/** A fault of the stand-in, or a request that GitHub does not describe: the answer says which. */
function readOwnFault(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  const { message } = body;
  return typeof message === "string" && message.startsWith("sandbox: ") ? message : undefined;
}

export function loadAnswerCheck(): AnswerCheck {
  const { ops, components } = readDescription();
  const ajv = createAjv();
  const compiled = new Map<string, ValidateFunction>();

  function compile(key: string, schema: object): ValidateFunction {
    const known = compiled.get(key) ?? ajv.compile({ ...schema, components });
    compiled.set(key, known);
    return known;
  }

  function findSchema(route: string, status: number): object | null | undefined {
    const described = ops.get(route)?.responses[status];
    if (status < 400) return described;
    // An error's forms overlap (each allows any object), so "exactly one of" never matches; 401 is not described.
    const basic = { $ref: "#/components/schemas/basic-error" };
    return described === undefined || described === null || "oneOf" in described ? basic : described;
  }

  return {
    operations: new Set(ops.keys()),
    findFault({ route, status, body }) {
      if (status >= 500) return readOwnFault(body);
      if (route === undefined || status === 0 || status === 304) return undefined;
      const schema = findSchema(route, status);
      if (schema === undefined) return `${route} answered ${status}, which GitHub never does`;
      if (schema === null) return body === undefined ? undefined : `${route} answered ${status} with a body`;
      const validate = compile(`${route} ${status}`, schema);
      return validate(body) ? undefined : `${route} ${status}: ${ajv.errorsText(validate.errors)}`;
    },
  };
}
