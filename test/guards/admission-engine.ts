import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Environment } from "@marcbachmann/cel-js";
import { parseAllDocuments } from "yaml";

interface Named {
  readonly name: string;
  readonly expression: string;
}

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly matchConditions?: readonly Named[];
    readonly variables?: readonly Named[];
    readonly validations?: readonly { readonly expression: string; readonly message: string }[];
  };
}

const file = fileURLToPath(new URL("../../deploy/chart/rights/admission.yaml", import.meta.url));
const policies = parseAllDocuments(readFileSync(file, "utf8")).map((each) => each.toJS() as Policy);

export type Tree = { readonly [key: string]: unknown };

const environment = new Environment({ unlistedVariablesAreDyn: true });

/** The API server's answer to a request: undefined where every policy admits it, else the message of the first that denies. */
function admit(policy: string, user: string, oldObject: Tree | null, object: Tree): string | undefined {
  const spec = policies.find(({ kind, metadata }) => kind.endsWith("Policy") && metadata.name === policy)?.spec;
  if (spec === undefined) throw new Error(`there is no policy ${policy}`);
  const context = { object, oldObject, request: { userInfo: { username: user }, dryRun: false } };
  if (spec.matchConditions?.some(({ expression }) => environment.evaluate(expression, context) !== true))
    return undefined;
  const variables: Record<string, unknown> = {};
  // In order, because a variable may use earlier ones.
  for (const { name, expression } of spec.variables ?? []) {
    variables[name] = environment.evaluate(expression, { ...context, variables });
  }
  return spec.validations?.find(
    ({ expression }) => environment.evaluate(expression, { ...context, variables }) !== true,
  )?.message;
}

const executor = "system:serviceaccount:meshroll-system:meshroll-executor";

/** One change of an object: the field's path and its new value; undefined removes the field. */
export type Change = readonly [path: readonly string[], value: unknown];

function change(tree: Tree, [[first = "", ...rest], value]: Change): Tree {
  const inner = rest.length === 0 ? value : change((tree[first] ?? {}) as Tree, [rest, value]);
  return Object.fromEntries(Object.entries({ ...tree, [first]: inner }).filter(([, each]) => each !== undefined));
}

export interface Case {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly of?: Tree;
  /** The object before the request; null: the request creates it. Default: `of`. */
  readonly old?: Tree | null;
  readonly user?: string;
  /** Part of the message of the policy that denies it; absent: the request is admitted. */
  readonly denied?: string;
}

/** The API server's answer to a request with these changes. */
export function play(policy: string, before: Tree, { changes, of = before, old = of, user = executor }: Case): string {
  return admit(policy, user, old, changes.reduce(change, of)) ?? "admitted";
}
