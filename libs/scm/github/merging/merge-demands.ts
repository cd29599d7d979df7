import { z } from "zod";

import { parseAnswer } from "../../http/parse-answer.ts";
import type { MergeMethod } from "../../port/merge-method.ts";
import type { MergeDemands } from "../../port/probe.ts";
import type { Wire } from "../calls/wire.ts";
import { type BranchRule, dropBypassed, readBranchRules } from "./branch-rules.ts";

/** Fields are absent where this token may not read what the repository allows. */
const repository = z.object({
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});

/** Most preferred first: a merge commit names who merged as its author, and keeps the judged commits unchanged. */
const preferred = ["merge", "squash", "rebase"] as const;

function listMethods(allowed: z.infer<typeof repository>, found: readonly BranchRule[]): readonly MergeMethod[] {
  const byRepository: Readonly<Record<MergeMethod, boolean | undefined>> = {
    merge: allowed.allow_merge_commit,
    squash: allowed.allow_squash_merge,
    rebase: allowed.allow_rebase_merge,
  };
  const isLinear = found.some(({ type }) => type === "required_linear_history");
  const lists = found.flatMap(({ parameters }) => {
    const list = parameters?.allowed_merge_methods;
    return list === undefined ? [] : [list];
  });
  return preferred.filter(
    (method) =>
      byRepository[method] !== false &&
      !(isLinear && method === "merge") &&
      lists.every((list) => list.includes(method)),
  );
}

function someRuleHas(
  found: readonly BranchRule[],
  is: (parameters: NonNullable<BranchRule["parameters"]>) => boolean,
): boolean {
  return found.some(({ parameters }) => parameters !== undefined && is(parameters));
}

type Place = Pick<Wire, "octokit" | "here">;

async function readMethodsBy({ octokit, here }: Place, found: readonly BranchRule[]): Promise<readonly MergeMethod[]> {
  const doing = "reading how the repository merges";
  return listMethods(parseAnswer(repository, (await octokit.rest.repos.get(here)).data, doing), found);
}

/** The merge methods that repository and branch allow, most preferred first. */
export async function readMethods(place: Place, branch: string): Promise<readonly MergeMethod[]> {
  return readMethodsBy(place, await readBranchRules(place, branch));
}

/** The allowed methods, and demands of the branch that no merge of ours can meet. */
export async function readMergeDemands(place: Place, branch: string): Promise<MergeDemands> {
  const found = await readBranchRules(place, branch);
  const methods = await readMethodsBy(place, found);
  const binding = await dropBypassed(place, found);
  const has = (type: string): boolean => binding.some((rule) => rule.type === type);
  const stops: readonly (readonly [MergeDemands["stops"][number], boolean])[] = [
    // Who may bypass the queue still meets pull requests of people in it.
    ["queueTestsLast", someRuleHas(found, (rule) => rule.grouping_strategy === "HEADGREEN")],
    ["signatures", has("required_signatures")],
    ["reviews", someRuleHas(binding, (rule) => (rule.required_approving_review_count ?? 0) > 0)],
    ["codeOwners", someRuleHas(binding, (rule) => rule.require_code_owner_review === true)],
    ["lastPush", someRuleHas(binding, (rule) => rule.require_last_push_approval === true)],
    ["upToDate", someRuleHas(binding, (rule) => rule.strict_required_status_checks_policy === true)],
    ["deployments", has("required_deployments")],
  ];
  return {
    methods,
    stops: stops.flatMap(([name, isDemanded]) => (isDemanded ? [name] : [])),
  };
}
