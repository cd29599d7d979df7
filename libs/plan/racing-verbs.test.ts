import { type Ask, decide, isLedgerDecision, type LedgerDecision, type LedgerState, type StopScope } from "#libs/plan";
import { makeCluster, makeRun, makeWorkload, makeWorld, noon, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import fc from "fast-check";
import { expect, test } from "vitest";

const scopes: readonly StopScope[] = ["all", "cluster/one", `run/${runId}`, "namespace/shop"];
const base = makeWorld({ clusters: new Map([["one", makeCluster("one", [makeWorkload("shop/a")])]]) });

/** What two people may ask in the same minute. */
const verb = fc.record({
  verb: fc.constantFrom("stop" as const, "lift" as const, "rollback" as const),
  scope: fc.constantFrom(...scopes),
  second: fc.nat(59),
});

function makeAsks(all: readonly { readonly verb: Ask["verb"]; readonly scope: StopScope; readonly second: number }[]) {
  return all.map(({ verb: kind, scope, second }, index): Ask => {
    const at = new Date(noon - 60_000 + second * 1000).toISOString();
    const who = index % 2 === 0 ? "ana" : "ben";
    const subject = kind === "rollback" ? (`run/${runId}` as const) : scope;
    return { id: `v${index}`, verb: kind, scope: subject, strength: "move", who, why: "5xx", at };
  });
}

function decideNext(ledger: LedgerState, asks: readonly Ask[]): LedgerDecision | undefined {
  return decide({ ...base, ledger, asks }).find(isLedgerDecision);
}

/**
 * Two planners that each see their own ledger and push what they decide on it; the branch takes only what follows its
 * newest record. `turns` says who acts when; both go on until neither has anything to record.
 */
function race(asks: readonly Ask[], turns: readonly number[]) {
  let branch: LedgerState = openRunLedger({ sequence: 1, runs: { [runId]: makeRun(sha("head"), sha("base")) } });
  const seen = [branch, branch];
  const pushed: LedgerDecision[] = [];
  let idle = 0;
  for (let turn = 0; idle < 4; turn += 1) {
    if (turn > 500) throw new Error("the planners never come to an end");
    const who = (turns[turn] ?? turn) % 2;
    const own = seen[who] ?? branch;
    const decision = decideNext(own, asks);
    idle = decision === undefined && own === branch ? idle + 1 : 0;
    if (decision !== undefined && own.sequence === branch.sequence) {
      branch = { ...decision.ledger, sequence: branch.sequence + 1 };
      pushed.push(decision);
    }
    // A push that was refused, and a look that found nothing, are both followed by a fetch.
    seen[who] = branch;
  }
  return { branch, pushed };
}

test("8.2 T9 verbs of two people, carried out by two planners in any order of turns: each once, and each is answered", () => {
  fc.assert(
    fc.property(
      fc.array(verb, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(1), { maxLength: 40 }),
      (all, turns) => {
        const asks = makeAsks(all);
        const { branch, pushed } = race(asks, turns);

        expect(Object.keys(branch.asks).toSorted()).toEqual(asks.map(({ id }) => id).toSorted());
        expect(Object.values(branch.asks).every(({ answer }) => answer !== "")).toBe(true);
        const placed = pushed.flatMap((each) => (each.kind === "placeStop" ? [each.stop.id] : []));
        expect(new Set(placed).size).toBe(placed.length);
        expect(Object.keys(branch.stops).toSorted()).toEqual(placed.toSorted());
      },
    ),
    { numRuns: 500 },
  );
});

test("7.5 T9 what holds in the end is what one planner makes of the same verbs, whoever raced", () => {
  fc.assert(
    fc.property(
      fc.array(verb, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(1), { maxLength: 40 }),
      (all, turns) => {
        const asks = makeAsks(all);
        const tell = ({ branch }: ReturnType<typeof race>) =>
          Object.values(branch.stops).map(
            ({ id, lift }) => `${id}${lift === undefined ? "" : ` lifted by ${lift.who}`}`,
          );
        expect(tell(race(asks, turns)).toSorted()).toEqual(tell(race(asks, [])).toSorted());
      },
    ),
    { numRuns: 200 },
  );
});

test("7.5 T6 of two lifts of one stop the second is told that there is nothing left to lift", () => {
  const asks = makeAsks([
    { verb: "stop", scope: "all", second: 0 },
    { verb: "lift", scope: "all", second: 1 },
    { verb: "lift", scope: "all", second: 2 },
  ]);
  const { branch } = race(asks, []);
  const answers = asks.map(({ id }) => branch.asks[id]?.answer.split(":")[0]);
  expect(answers).toEqual(["stop v0 on all", "lifted v0 on all (ben", "nothing to lift"]);
});
