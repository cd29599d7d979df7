import type { ReviewRule } from "#libs/wording";
import { z } from "zod";

import { isHidden, readStatus } from "../../http/classify.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import type { RequiredCheck } from "../../port/probe.ts";
import type { Wire } from "../calls/wire.ts";

type Place = Pick<Wire, "octokit" | "here">;

const required = z.object({ context: z.string(), integration_id: z.int().nullish() });
const rules = z.array(
  z.object({
    type: z.string(),
    ruleset_id: z.int().optional(),
    parameters: z
      .object({
        grouping_strategy: z.string().optional(),
        allowed_merge_methods: z.array(z.string()).optional(),
        required_approving_review_count: z.int().optional(),
        dismiss_stale_reviews_on_push: z.boolean().optional(),
        require_code_owner_review: z.boolean().optional(),
        require_last_push_approval: z.boolean().optional(),
        required_review_thread_resolution: z.boolean().optional(),
        strict_required_status_checks_policy: z.boolean().optional(),
        required_status_checks: z.array(required).optional(),
        required_deployment_environments: z.array(z.string()).optional(),
      })
      .optional(),
  }),
);

/** A rule of a ruleset that applies to a branch. */
export type BranchRule = z.infer<typeof rules>[number];

/** Rules of all rulesets that apply to the branch; none where the server has no rulesets. */
export async function readBranchRules({ octokit, here }: Place, branch: string): Promise<readonly BranchRule[]> {
  const doing = `reading the rules of ${branch}`;
  try {
    const query = { ...here, branch };
    const found = await readPages(doing, async (page) => octokit.rest.repos.getBranchRules({ ...query, ...page }));
    return parseAnswer(rules, found, doing);
  } catch (error) {
    if (readStatus(error)?.status === 404) return [];
    throw error;
  }
}

const enabled = z.object({ enabled: z.boolean() }).nullish();
const classic = z.object({
  required_status_checks: z
    .object({
      strict: z.boolean().optional(),
      contexts: z.array(z.string()).optional(),
      checks: z.array(z.object({ context: z.string(), app_id: z.int().nullish() })).optional(),
    })
    .nullish(),
  required_pull_request_reviews: z
    .object({
      required_approving_review_count: z.int().optional(),
      dismiss_stale_reviews: z.boolean().optional(),
      require_code_owner_reviews: z.boolean().optional(),
      require_last_push_approval: z.boolean().optional(),
    })
    .nullish(),
  required_conversation_resolution: enabled,
  required_signatures: enabled,
  lock_branch: enabled,
});
type Classic = z.infer<typeof classic>;
const branchAnswer = z.object({ protection: classic.optional() });

/** GitHub writes -1 where any app may post the check. */
export function toRequired(name: string, source: number | null | undefined): RequiredCheck {
  return typeof source === "number" && source > 0 ? { name, source } : { name };
}

/** The classic protection: whole for a token that may read the administration, else only the required checks. */
async function readClassic({ octokit, here }: Place, branch: string): Promise<Classic> {
  const doing = `reading the protection of ${branch}`;
  try {
    return parseAnswer(classic, (await octokit.rest.repos.getBranchProtection({ ...here, branch })).data, doing);
  } catch (error) {
    if (!isHidden(error)) throw error;
    const { data } = await octokit.rest.repos.getBranch({ ...here, branch });
    return parseAnswer(branchAnswer, data, doing).protection ?? {};
  }
}

function listClassicChecks({ required_status_checks: found }: Classic): readonly RequiredCheck[] {
  const sourced = new Map(found?.checks?.map(({ context, app_id: source }) => [context, source] as const));
  return (found?.contexts ?? []).map((context) => toRequired(context, sourced.get(context)));
}

/** What the branch demands of a merge, by rulesets and classic protection together. */
export interface BranchDemands {
  readonly reviews: number;
  readonly codeOwners: boolean;
  readonly lastPush: boolean;
  readonly staleDismissed: boolean;
  readonly conversations: boolean;
  readonly signatures: boolean;
  readonly locked: boolean;
  readonly strict: boolean;
  readonly checks: readonly RequiredCheck[];
  readonly environments: readonly string[];
}

type Parameters = NonNullable<BranchRule["parameters"]>;

function isOn(setting: { readonly enabled: boolean } | null | undefined): boolean {
  return setting?.enabled === true;
}

function joinReviews(
  old: Classic["required_pull_request_reviews"],
  parameters: readonly Parameters[],
): Pick<BranchDemands, "reviews" | ReviewRule> {
  const counts = parameters.map((each) => each.required_approving_review_count ?? 0);
  const owners = [old?.require_code_owner_reviews, ...parameters.map((each) => each.require_code_owner_review)];
  const pushes = [old?.require_last_push_approval, ...parameters.map((each) => each.require_last_push_approval)];
  const stale = [old?.dismiss_stale_reviews, ...parameters.map((each) => each.dismiss_stale_reviews_on_push)];
  return {
    reviews: Math.max(old?.required_approving_review_count ?? 0, ...counts),
    codeOwners: owners.includes(true),
    lastPush: pushes.includes(true),
    staleDismissed: stale.includes(true),
  };
}

/** Rulesets and classic protection both apply: the stricter of each demand counts. */
function joinDemands(found: readonly BranchRule[], old: Classic): BranchDemands {
  const has = (type: string): boolean => found.some((rule) => rule.type === type);
  const parameters = found.flatMap((rule) => rule.parameters ?? []);
  const checks = parameters.flatMap((each) => each.required_status_checks ?? []);
  const strict = [
    old.required_status_checks?.strict,
    ...parameters.map((each) => each.strict_required_status_checks_policy),
  ];
  const resolved = parameters.some((each) => each.required_review_thread_resolution === true);
  return {
    ...joinReviews(old.required_pull_request_reviews, parameters),
    conversations: isOn(old.required_conversation_resolution) || resolved,
    signatures: isOn(old.required_signatures) || has("required_signatures"),
    locked: isOn(old.lock_branch),
    strict: strict.includes(true),
    checks: [
      ...listClassicChecks(old),
      ...checks.map(({ context, integration_id: source }) => toRequired(context, source)),
    ],
    environments: parameters.flatMap((each) => each.required_deployment_environments ?? []),
  };
}

/** What a merge into the branch has to meet, as far as this token may read it. */
export async function readBranchDemands(place: Place, branch: string): Promise<BranchDemands> {
  return joinDemands(await readBranchRules(place, branch), await readClassic(place, branch));
}

const reviewRules: readonly ReviewRule[] = ["lastPush", "staleDismissed", "codeOwners"];

/** Rules about approvals that the branch lacks, as far as this token may read them. */
export async function readMissingRules(place: Place, branch: string): Promise<readonly ReviewRule[]> {
  const demands = await readBranchDemands(place, branch);
  return reviewRules.filter((rule) => !demands[rule]);
}

const ruleset = z.object({ current_user_can_bypass: z.string().optional() });

/** The rules without those of rulesets that this token may bypass. */
export async function dropBypassed(
  { octokit, here }: Place,
  found: readonly BranchRule[],
): Promise<readonly BranchRule[]> {
  const ids = [...new Set(found.flatMap(({ ruleset_id: id }) => (id === undefined ? [] : [id])))];
  const bypassed = new Set<number | undefined>();
  for (const id of ids) {
    const { data } = await octokit.rest.repos.getRepoRuleset({ ...here, ruleset_id: id });
    const { current_user_can_bypass: when = "never" } = parseAnswer(ruleset, data, "reading a ruleset");
    if (when !== "never") bypassed.add(id);
  }
  return found.filter(({ ruleset_id: id }) => !bypassed.has(id));
}
