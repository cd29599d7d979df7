import { isReached } from "#libs/campaign";
import {
  compileSpec,
  editStage,
  judgeStages,
  type Spec,
  type StageVerdict,
  evaluateFleet,
  type Snapshot,
} from "#libs/plan";
import { parseRollouts, printDistributions } from "#libs/rollouts";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { makeCluster, makeLedger, makeWorkload, noon, sha } from "#test/world/build";
import fc from "fast-check";
import { renderReason } from "#libs/wording";
import { describe, expect, it } from "vitest";

const main = sha("main");
const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
const one = makeCluster(
  "one",
  names.map((name) => makeWorkload(`${name}/web`)),
);

function snapshotOf(spec: Spec): Snapshot {
  return {
    now: noon,
    main: { head: main, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main, judged: main }),
    specs: new Map([[main, spec]]),
    clusters: new Map([["one", one]]),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
  };
}

function readCampaign(stages: string): string {
  return campaignOf("", stages).replace("replaces: [old]", "replaces: [old, older]");
}

const shares = fc
  .tuple(fc.nat(100), fc.nat(100), fc.nat(100))
  .filter(([a, b, c]) => a + b + c > 0)
  .map(([a, b]) => {
    const older = Math.min(a, 100);
    const fresh = Math.min(b, 100 - older);
    return { older, fresh, old: 100 - older - fresh };
  });
const comment = fc.constantFrom("", "# by hand\n", "\n", "  # why\n");

interface Sample {
  readonly has: { readonly older: number; readonly old: number; readonly fresh: number };
  readonly share: number;
  readonly note: string;
  readonly isListed: boolean;
}

function write({ has, note, isListed }: Sample): { readonly text: string; readonly fresh: string } {
  const fresh = isListed || has.fresh > 0 ? `  new: ${has.fresh}\n` : "";
  const own = `production:\n  older: ${has.older}\n${note}  old: ${has.old}\n${fresh}`;
  return { text: `# head\n${own}\n.*-stg:\n  old: 100\n`, fresh };
}

function propose(text: string, share: number): StageVerdict | undefined {
  const stages = `    - { name: half, set: { production: ${share} } }\n`;
  const compiled = compileSpec(main, text, undefined, { [campaignFile]: readCampaign(stages) });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const snapshot = snapshotOf(compiled.spec);
  return judgeStages(snapshot, compiled.spec, evaluateFleet(snapshot, compiled.spec))[0];
}

function readBack(text: string) {
  const parsed = parseRollouts(text, "rollouts.yml");
  if (!parsed.ok) throw new Error("the edit does not parse");
  return parsed.value;
}

const skeleton = (lines: string): string => lines.replaceAll(/\d+/gu, "N");
const sample: fc.Arbitrary<Sample> = fc.record({
  has: shares,
  share: fc.integer({ min: 1, max: 100 }),
  note: comment,
  isListed: fc.boolean(),
});

describe("1.5 the edit of a stage", () => {
  it("1.5 reaches exactly the planned shares, and changes only digits or one line", () => {
    fc.assert(
      fc.property(sample, (each) => {
        const { text, fresh } = write(each);
        const verdict = propose(text, each.share);
        fc.pre(verdict?.kind === "propose");
        if (verdict?.kind !== "propose") return;
        const edited = editStage(verdict, text);
        if (!edited.ok) throw new Error(edited.reason.code);
        const rollouts = readBack(edited.text);
        expect(printDistributions(rollouts)).toEqual(printDistributions(verdict.after.rollouts));
        expect(isReached(verdict.campaign, verdict.stage, rollouts)).toBe(true);
        const after = skeleton(edited.text);
        expect(fresh === "" ? after.replace("  new: N\n", "") : after).toBe(skeleton(text));
      }),
      { numRuns: 150 },
    );
  });

  it("1.5 is left to a person if the file would have to be reformatted", () => {
    const text = "production: &a { old: 100 }\n";
    const compiled = compileSpec(main, "production:\n  old: 100\n", undefined, { [campaignFile]: campaignOf() });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
    const snapshot = snapshotOf(compiled.spec);
    const [verdict] = judgeStages(snapshot, compiled.spec, evaluateFleet(snapshot, compiled.spec));
    if (verdict?.kind !== "propose") throw new Error("it is proposed");
    const edited = editStage(verdict, text);
    expect(edited.ok ? edited : renderReason(edited.reason)).toMatchObject({
      code: "StageByHand",
      owner: "user:ana",
      message: expect.stringMatching(
        /^stage half of shop waits for a person to set production to (old 50, new 50|new 50, old 50): \S+/u,
      ) as string,
      command: 'git switch -c meshroll/shop/half origin/main && "${EDITOR:-vi}" rollouts.yml',
    });
  });
});
