import { chooseMachines, type Params, readList } from "./filters.ts";
import { type Ec2Machine, tagMachine } from "./instances.ts";
import { Refusal } from "./refusal.ts";
import { printInstances, printTagged } from "./xml.ts";

export interface Ec2State {
  /** By id. */
  readonly machines: Map<string, Ec2Machine>;
  /** Lists show these until so many were answered: EC2's lists are late at times. */
  late: { readonly machines: readonly Ec2Machine[]; answers: number } | undefined;
}

function readPage(params: Params): { readonly from: number; readonly most: number } {
  const most = Number(params.get("MaxResults") ?? "1000");
  if (!(most >= 5 && most <= 1000))
    throw new Refusal(400, "InvalidParameterValue", `Value ( ${most} ) for parameter maxResults is invalid.`);
  const token = params.get("NextToken");
  if (token === undefined) return { from: 0, most };
  const from = Number(/^page-(\d+)$/u.exec(token)?.[1] ?? "NaN");
  if (Number.isNaN(from)) throw new Refusal(400, "InvalidPaginationToken", `The pagination token ${token} is invalid`);
  return { from, most };
}

function takeShown(state: Ec2State): Iterable<Ec2Machine> {
  const { late } = state;
  if (late === undefined || late.answers === 0) return state.machines.values();
  late.answers -= 1;
  return late.machines;
}

function describeInstances(state: Ec2State, params: Params, requestId: string): string {
  const { from, most } = readPage(params);
  const chosen = chooseMachines(params, takeShown(state));
  const next = from + most < chosen.length ? `page-${from + most}` : undefined;
  return printInstances(requestId, chosen.slice(from, from + most), next);
}

function createTags({ machines }: Ec2State, params: Params, requestId: string): string {
  const values = readList(params, "Tag", ".Value");
  const tags = new Map(readList(params, "Tag", ".Key").map((key, index) => [key, values[index] ?? ""]));
  for (const id of readList(params, "ResourceId")) tagMachine(machines, id, tags);
  return printTagged(requestId);
}

/** The two actions that meshroll calls; its IAM policy has no other. */
export function carryOut(state: Ec2State, params: Params, requestId: string): string {
  const action = params.get("Action") ?? "";
  if (params.get("Version") !== "2016-11-15") throw new Refusal(400, "NoSuchVersion", "there is no such version");
  if (action === "DescribeInstances") return describeInstances(state, params, requestId);
  if (action === "CreateTags") return createTags(state, params, requestId);
  throw new Refusal(400, "InvalidAction", `The action ${action} is not valid for this web service.`);
}
