import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { ConfigProblems, readConfig } from "#libs/runtime";
import type { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The variables that a service reads from its environment. */
export interface ServiceSchema {
  readonly name: string;
  /** From the repository's root: `services/planner`, or `agent`. */
  readonly folder: string;
  readonly schema: z.ZodObject;
  /** Every variable that it knows. */
  readonly variables: readonly string[];
  /** Those that are required. */
  readonly needed: readonly string[];
}

/** The variables that are wrong in this environment, by the service's own schema. */
export function listProblems(schema: z.ZodObject, env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems.map(({ name }) => name);
    throw error;
  }
}

/** The schema that the config.ts of each service and of the agent exports. A new service is found by its folder. */
export async function readServiceSchemas(): Promise<readonly ServiceSchema[]> {
  const names = readdirSync(`${root}/services`).filter((name) => existsSync(`${root}/services/${name}/main.ts`));
  const folders = [...names.map((name) => ({ name, folder: `services/${name}` })), { name: "agent", folder: "agent" }];
  return Promise.all(
    folders.map(async ({ name, folder }) => {
      const exported = (await import(`${root}/${folder}/config.ts`)) as Readonly<Record<string, unknown>>;
      const schema = exported[`${name}Config`] as z.ZodObject;
      return { name, folder, schema, variables: Object.keys(schema.shape), needed: listProblems(schema, {}) };
    }),
  );
}
