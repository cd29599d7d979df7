import { describe, expect, it } from "vitest";
import { checkRules, findRuleNumbers } from "../../scripts/guards/rules.ts";

const named = (text: string) => `it("${text}", run);`;

describe("a required rule without a test of its name is refused", () => {
  const list = { required: ["3.2"], later: ["5.1", "5.2"] };

  it("no test names it", () => {
    const report = checkRules(list, [named("5.1 template: one patch")]);
    expect(report.complaints.map(({ message }) => message)).toEqual([expect.stringContaining("rule 3.2 is required")]);
  });

  it("a test names it", () => {
    const report = checkRules(list, [named("3.2 a stop never ends a run"), named("5.1 template: one patch")]);
    expect(report).toEqual({ complaints: [], proven: ["3.2", "5.1"], unproven: ["5.2"] });
  });

  it("a rule that stands twice is refused", () => {
    expect(checkRules({ required: [], later: ["5.1", "5.1"] }, []).complaints).toHaveLength(1);
  });
});

describe("rule numbers are read from the first words of a test's name", () => {
  const cases = [
    { text: 'it("3.2 a stop never ends a run", run)', wantRules: ["3.2"] },
    { text: "describe('12.1 clocks', run)", wantRules: ["12.1"] },
    { text: "{ name: `5.1 template: one patch` }", wantRules: ["5.1"] },
    { text: 'it("3.2: a stop", run)', wantRules: ["3.2"] },
    { text: 'it("see 3.2 a stop", run)', wantRules: [] },
    { text: "const version = '1.20';", wantRules: [] },
    { text: '"1.24.5 stays as written"', wantRules: [] },
    { text: "// 3.2 a comment proves nothing", wantRules: [] },
  ];

  it.each(cases)("$text", ({ text, wantRules }) => expect([...findRuleNumbers(text)]).toEqual(wantRules));
});
