import type { Complaint } from "./complaint.ts";

/** test/guards/required-rules.json: every numbered rule of the design, by whether a test must prove it yet. */
export interface RuleList {
  readonly required: readonly string[];
  /** Move a rule to `required` with the slice that builds it. */
  readonly later: readonly string[];
}

export interface RuleReport {
  readonly complaints: readonly Complaint[];
  /** Rules of the list that some test names, in the order of the list. */
  readonly proven: readonly string[];
  readonly unproven: readonly string[];
}

export const ruleListPath = "test/guards/required-rules.json";

/** The first words of a string that names a test: `"5.1 template: ..."` gives 5.1. */
const testName = /["'`](\d{1,2}\.\d{1,2}):? (?=\S)/g;

/** Rule numbers with which test names in this text start. */
export function findRuleNumbers(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(testName)].flatMap((match) => match[1] ?? []));
}

/** Compares the list with the texts of all test files. */
export function checkRules(list: RuleList, tests: readonly string[]): RuleReport {
  const named = new Set(tests.flatMap((text) => [...findRuleNumbers(text)]));
  const all = [...list.required, ...list.later];
  const twice = all.filter((rule, index) => all.indexOf(rule) !== index);
  const missing = list.required.filter((rule) => !named.has(rule));
  return {
    complaints: [
      ...twice.map((rule) => ({ path: ruleListPath, message: `rule ${rule} stands twice` })),
      ...missing.map((rule) => ({
        path: ruleListPath,
        message: `rule ${rule} is required and no test's name starts with it: write "${rule} ..."`,
      })),
    ],
    proven: all.filter((rule) => named.has(rule)),
    unproven: all.filter((rule) => !named.has(rule)),
  };
}
