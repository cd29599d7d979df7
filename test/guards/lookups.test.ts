import { describe, expect, it } from "vitest";

import { findLookups } from "../../scripts/lookups/find-lookups.ts";
import { isProduct } from "../../scripts/lookups/is-product.ts";
import { makeProject } from "./temp-project.ts";

const given = `export const record: Record<string, number> = {};
export const list: readonly number[] = [];
export const kinds: Record<"a" | "b", number> = { a: 1, b: 2 };
export declare const kind: "a" | "b";
export declare const name: string;
export declare const branded: string & { readonly brand: true };
export declare const key: keyof typeof kinds;
`;
const names = "record, list, kinds, kind, name, branded, key";
const imports = `import { ${names} } from "./given.ts";\nvoid [${names}];\n`;

const refused: readonly string[] = [
  "export const x = record[name];",
  "export const x = record?.[name];",
  "export const x = record[name.slice(4)];",
  "export const x = record[branded];",
  "export const x = record[`${name}`];",
  "export const x = record[`to${name}`];",
  "export const x = name in record;",
  "record[name] = 1;",
  "delete record[name];",
  "export const x = (kinds as Record<string, number>)[name];",
  "export const f = <K extends string>(each: K): unknown => record[each];",
];
const accepted: readonly string[] = [
  'export const x = record["fixed"];',
  "export const x = kinds[kind];",
  "export const x = kinds[key];",
  "export const x = list[list.length - 1];",
  'export const x = "a" in kinds;',
  "export const x = Object.hasOwn(record, name);",
  "export const x = record[`runs/${name}.json`];",
  "export const f = <K extends keyof typeof kinds>(each: K): unknown => kinds[each];",
];

describe("no record is indexed by a name that may come from outside", () => {
  const all = [...refused, ...accepted];
  const files = Object.fromEntries(all.map((text, index) => [`libs/rollouts/case-${index}.ts`, `${imports}${text}\n`]));
  const project = makeProject({
    ...files,
    "libs/rollouts/given.ts": given,
    "libs/rollouts/other.test.ts": `${imports}void record[name];\n`,
  });
  const found = findLookups(project.root, isProduct);
  project.remove();

  it.each(refused.map((text, index) => ({ text, index })))("refuses $text", ({ index }) => {
    expect(found.filter(({ path }) => path === `libs/rollouts/case-${index}.ts`).map(({ line }) => line)).toEqual([3]);
  });
  it.each(accepted.map((text, index) => ({ text, index: index + refused.length })))("accepts $text", ({ index }) => {
    expect(found.filter(({ path }) => path === `libs/rollouts/case-${index}.ts`)).toEqual([]);
  });
  it("does not look at tests", () => {
    expect(found.filter(({ path }) => path.endsWith("other.test.ts"))).toEqual([]);
  });
});
