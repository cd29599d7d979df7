import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { ConfigProblems, readConfig } from "#libs/runtime";
import type { z } from "zod";

const services = fileURLToPath(new URL("../../services", import.meta.url));

/** What a service reads from its environment. */
export interface ServiceSchema {
  readonly name: string;
  readonly schema: z.ZodObject;
  /** Every variable that it knows. */
  readonly variables: readonly string[];
  /** Those without which it does not start. */
  readonly needed: readonly string[];
}

/** The variables that are wrong in this environment, as the service itself would say. */
export function listProblems(schema: z.ZodObject, env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems.map(({ name }) => name);
    throw error;
  }
}

/** The schema of each service: the one that its config.ts exports. A new service is found by its folder. */
export async function readServiceSchemas(): Promise<readonly ServiceSchema[]> {
  const names = readdirSync(services).filter((name) => existsSync(`${services}/${name}/main.ts`));
  return Promise.all(
    names.map(async (name) => {
      const exported = (await import(`${services}/${name}/config.ts`)) as Readonly<Record<string, unknown>>;
      const schema = exported[`${name}Config`] as z.ZodObject;
      return { name, schema, variables: Object.keys(schema.shape), needed: listProblems(schema, {}) };
    }),
  );
}
