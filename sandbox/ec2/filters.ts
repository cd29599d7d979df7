import type { Ec2Machine } from "./instances.ts";
import { Refusal } from "./refusal.ts";

export type Params = ReadonlyMap<string, string>;

/** A list in EC2's query protocol: `Filter.1.Name`, `Filter.1.Value.1`, … */
export function readList(params: Params, prefix: string, suffix = ""): readonly string[] {
  const values: string[] = [];
  for (let index = 1; ; index += 1) {
    const value = params.get(`${prefix}.${index}${suffix}`);
    if (value === undefined) return values;
    values.push(value);
  }
}

interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

function readFilters(params: Params): readonly Filter[] {
  return readList(params, "Filter", ".Name").map((name, index) => ({
    name,
    values: readList(params, `Filter.${index + 1}.Value`),
  }));
}

/** `*` is any text in the value of a filter. */
function matches(value: string, text: string | undefined): boolean {
  const parts = value.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/gu, "\\$&"));
  return text !== undefined && new RegExp(`^${parts.join(".*")}$`, "u").test(text);
}

function findText({ state, tags }: Ec2Machine, name: string): string | undefined {
  if (name === "instance-state-name") return state;
  if (name.startsWith("tag:")) return tags.get(name.slice("tag:".length));
  throw new Refusal(400, "InvalidParameterValue", `The filter '${name}' is invalid`);
}

/** Which instances a call asks for: all filters must be met, each by one of its values. */
export function chooseMachines(params: Params, machines: Iterable<Ec2Machine>): readonly Ec2Machine[] {
  const filters = readFilters(params);
  return [...machines].filter((machine) =>
    filters.every(({ name, values }) => values.some((value) => matches(value, findText(machine, name)))),
  );
}
