import { z } from "zod";

import { isHidden } from "../../http/classify.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import type { LedgerRules } from "../../port/ledger-rules.ts";
import type { Wire } from "../calls/wire.ts";

const rules = z.array(z.object({ type: z.string() }));
const branchAnswer = z.object({ protected: z.boolean() });
/** Classic protection: the fields about who may push. */
const classicAnswer = z.object({
  allow_force_pushes: z.object({ enabled: z.boolean() }).optional(),
  allow_deletions: z.object({ enabled: z.boolean() }).optional(),
  restrictions: z.object({}).nullish(),
});

/** Undefined where this token may not read it, or it does not exist. */
async function readIfAllowed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}

/** Types of the rules of branch `meshroll/ledger`, by rulesets and classic protection together. */
export async function readLedgerRules({ octokit, here }: Pick<Wire, "octokit" | "here">): Promise<LedgerRules> {
  const ledger = { ...here, branch: "meshroll/ledger" };

  async function readRulesets(): Promise<readonly string[]> {
    const doing = "reading the rulesets of the ledger";
    const found = await readPages(doing, async (page) => octokit.rest.repos.getBranchRules({ ...ledger, ...page }));
    return parseAnswer(rules, found, doing).map(({ type }) => type);
  }

  /** Classic protection forbids forced pushes and deletion unless it says that it allows them. */
  async function readClassic(): Promise<readonly string[]> {
    const { data } = await octokit.rest.repos.getBranchProtection(ledger);
    const answer = parseAnswer(classicAnswer, data, "reading the protection of the ledger");
    return [
      ...(answer.allow_force_pushes?.enabled === true ? [] : ["non_fast_forward"]),
      ...(answer.allow_deletions?.enabled === true ? [] : ["deletion"]),
      ...(answer.restrictions === undefined || answer.restrictions === null ? [] : ["update"]),
    ];
  }

  async function isProtected(): Promise<boolean> {
    const answer = await readIfAllowed(async () => octokit.rest.repos.getBranch(ledger));
    return answer !== undefined && parseAnswer(branchAnswer, answer.data, "reading the ledger's branch").protected;
  }

  const rulesets = await readIfAllowed(readRulesets);
  // GitHub answers 404 both for a branch without classic protection and to a token that may not read it.
  const told = await readIfAllowed(readClassic);
  const classic = told ?? ((await isProtected()) ? undefined : []);
  if (rulesets === undefined && (classic === undefined || classic.length === 0)) return {};
  const ledgerRules = [...(rulesets ?? []), ...(classic ?? [])];
  return classic === undefined ? { ledgerRules, ledgerUnread: true } : { ledgerRules };
}
