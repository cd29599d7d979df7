import {
  applyChange,
  type VerbRequest,
  decide,
  isLedgerDecision,
  type LedgerDecision,
  type LedgerState,
  type StopScope,
} from "#libs/plan";
import { makeCluster, makeRun, makeWorkload, makeSnapshot, noon, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import fc from "fast-check";
import { findPlaced } from "#test/world/transition";
import { expect, test } from "vitest";

const scopes: readonly StopScope[] = ["all", "cluster/one", `run/${runId}`, "namespace/shop"];
const base = makeSnapshot({ clusters: new Map([["one", makeCluster("one", [makeWorkload("shop/a")])]]) });

/** Verbs that two people may send in the same minute. */
const verb = fc.record({
  verb: fc.constantFrom("stop" as const, "resume" as const, "rollback" as const),
  scope: fc.constantFrom(...scopes),
  second: fc.nat(59),
});

function makeRequests(
  all: readonly { readonly verb: VerbRequest["verb"]; readonly scope: StopScope; readonly second: number }[],
) {
  return all.map(({ verb: kind, scope, second }, index): VerbRequest => {
    const at = new Date(noon - 60_000 + second * 1000).toISOString();
    const who = index % 2 === 0 ? "ana" : "ben";
    const subject = kind === "rollback" ? (`run/${runId}` as const) : scope;
    return { id: `v${index}`, verb: kind, scope: subject, strength: "move", who, why: "5xx", at };
  });
}

function decideNext(ledger: LedgerState, requests: readonly VerbRequest[]): LedgerDecision | undefined {
  return decide({ ...base, ledger, requests }).find(isLedgerDecision);
}

/**
 * Two planners that each see their own ledger and push what they decide on it; the branch takes only what follows its
 * newest record. `turns` says who acts when; both go on until neither has anything to record.
 */
function race(requests: readonly VerbRequest[], turns: readonly number[]) {
  let branch: LedgerState = openRunLedger({ sequence: 1, runs: { [runId]: makeRun(sha("head"), sha("base")) } });
  const seen = [branch, branch];
  const pushed: LedgerDecision[] = [];
  let idle = 0;
  for (let turn = 0; idle < 4; turn += 1) {
    if (turn > 500) throw new Error("the planners never come to an end");
    const who = (turns[turn] ?? turn) % 2;
    const own = seen[who] ?? branch;
    const decision = decideNext(own, requests);
    idle = decision === undefined && own === branch ? idle + 1 : 0;
    if (decision !== undefined && own.sequence === branch.sequence) {
      branch = applyChange(branch, decision.change);
      pushed.push(decision);
    }
    // A refused push, and a reconcile without a decision, are both followed by a fetch.
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
        const requests = makeRequests(all);
        const { branch, pushed } = race(requests, turns);

        expect(Object.keys(branch.requests).toSorted()).toEqual(requests.map(({ id }) => id).toSorted());
        expect(Object.values(branch.requests).every(({ answer }) => answer !== "")).toBe(true);
        const placed = pushed.flatMap((each) => findPlaced(each)?.id ?? []);
        expect(new Set(placed).size).toBe(placed.length);
        expect(Object.keys(branch.stops).toSorted()).toEqual(placed.toSorted());
      },
    ),
    { numRuns: 500 },
  );
});

test("7.5 T9 two planners end with the stops that one planner makes of the same verbs", () => {
  fc.assert(
    fc.property(
      fc.array(verb, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(1), { maxLength: 40 }),
      (all, turns) => {
        const requests = makeRequests(all);
        const tell = ({ branch }: ReturnType<typeof race>) =>
          Object.values(branch.stops).map(
            ({ id, resume }) => `${id}${resume === undefined ? "" : ` resumed by ${resume.who}`}`,
          );
        expect(tell(race(requests, turns)).toSorted()).toEqual(tell(race(requests, [])).toSorted());
      },
    ),
    { numRuns: 200 },
  );
});

/** A state of the race of two planners for three verbs; each verb is still to come, on the bus, or removed from it. */
interface Race {
  readonly branch: LedgerState;
  readonly seen: readonly [LedgerState, LedgerState];
  readonly bus: readonly ("toCome" | "migrated" | "gone")[];
}

/** All possible next steps: a verb comes or is removed, a planner fetches, or pushes its decision on what it fetched. */
function listNext(
  { branch, seen, bus }: Race,
  decideOn: (ledger: LedgerState, bus: Race["bus"]) => LedgerState | undefined,
) {
  const next: Race[] = [];
  for (const [index, state] of bus.entries()) {
    const isAnswered = seen.some(({ requests }) => requests[`v${index}`] !== undefined);
    if (state === "toCome") next.push({ branch, seen, bus: bus.with(index, "migrated") });
    if (state === "migrated" && isAnswered) next.push({ branch, seen, bus: bus.with(index, "gone") });
  }
  for (const [who, own] of seen.entries()) {
    const other = seen[1 - who] ?? own;
    const seeAs = (ledger: LedgerState): Race["seen"] => (who === 0 ? [ledger, other] : [other, ledger]);
    if (own !== branch) next.push({ branch, seen: seeAs(branch), bus });
    const decided = decideOn(own, bus);
    // A push that does not follow the newest commit is refused, and changes nothing.
    if (decided !== undefined && own === branch) next.push({ branch: decided, seen: seeAs(decided), bus });
  }
  return next;
}

/** The parts of a ledger that must not change again: answers, placed stops, resumes. */
function listFacts({ requests, stops }: LedgerState): readonly string[] {
  const answers = Object.entries(requests).map(([id, { answer }]) => `${id}: ${answer}`);
  const resumes = Object.values(stops).map(({ id, resume }) => `${id} resumed by ${resume?.who ?? "no one"}`);
  const placed = Object.values(stops).map(({ id, who, scope }) => `${id} on ${scope} by ${who}`);
  return [...answers, ...placed, ...resumes.filter((each) => !each.endsWith("no one"))];
}

/** All states that any order of steps leads to, each once, and the number of orders that lead to an end. */
function explore(requests: readonly VerbRequest[]) {
  const ledgers = new Map<string, LedgerState>();
  const known = new Map<string, LedgerState | undefined>();
  /** One object for equal ledgers, so that they can be distinguished by identity. */
  const intern = (ledger: LedgerState): LedgerState => {
    const text = JSON.stringify(ledger);
    const found = ledgers.get(text) ?? ledger;
    ledgers.set(text, found);
    return found;
  };
  const name = ({ branch, seen, bus }: Race) =>
    [branch, ...seen].map((each) => [...ledgers.values()].indexOf(each)).join() + bus.join();
  const decideOn = (ledger: LedgerState, bus: Race["bus"]): LedgerState | undefined => {
    const migrated = requests.filter((_, index) => bus[index] === "migrated");
    const key = `${[...ledgers.values()].indexOf(ledger)} ${migrated.map(({ id }) => id).join()}`;
    if (!known.has(key)) {
      const decided = decideNext(ledger, migrated);
      const next = decided && intern(applyChange(ledger, decided.change));
      known.set(key, next);
    }
    return known.get(key);
  };
  const orders = new Map<string, number>();
  const ends = new Set<LedgerState>();
  const forgotten: string[] = [];
  const walk = (race: Race): number => {
    const counted = orders.get(name(race));
    if (counted !== undefined) return counted;
    const next = listNext(race, decideOn);
    const before = listFacts(race.branch);
    for (const { branch } of next) {
      const after = new Set(branch === race.branch ? before : listFacts(branch));
      forgotten.push(...before.filter((fact) => !after.has(fact)));
    }
    if (next.length === 0) ends.add(race.branch);
    const count = next.length === 0 ? 1 : next.reduce((sum, each) => sum + walk(each), 0);
    orders.set(name(race), count);
    return count;
  };
  const start = intern(openRunLedger({ sequence: 1, runs: { [runId]: makeRun(sha("head"), sha("base")) } }));
  const interleavings = walk({ branch: start, seen: [start, start], bus: requests.map(() => "toCome" as const) });
  return { states: orders.size, interleavings, ends: [...ends], forgotten, start };
}

test("8.2 T9 two planners that carry out three verbs in any order of steps end like some order of the verbs", () => {
  const kinds = ["stop", "resume", "rollback"] as const;
  const triples = kinds.flatMap((a) => kinds.flatMap((b) => kinds.map((c) => [a, b, c] as const)));
  let interleavings = 0;
  for (const triple of triples) {
    const requests = makeRequests(triple.map((kind, second) => ({ verb: kind, scope: "all" as const, second })));
    const found = explore(requests);
    interleavings += found.interleavings;
    expect(found.forgotten).toEqual([]);
    /** One planner that gets the verbs one by one, in this order. */
    const carryOut = (order: readonly number[]): string =>
      listFacts(order.reduce((ledger, index) => settle(ledger, requests.slice(index, index + 1)), found.start))
        .toSorted()
        .join("; ");
    const oneByOne = new Set(permutations.map(carryOut));
    for (const end of found.ends) {
      expect(Object.keys(end.requests).toSorted()).toEqual(["v0", "v1", "v2"]);
      expect(oneByOne).toContain(listFacts(end).toSorted().join("; "));
    }
  }
  expect(interleavings).toBeGreaterThan(1_000_000);
});

const permutations = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** All records of one planner until there is nothing left to record. */
function settle(ledger: LedgerState, requests: readonly VerbRequest[]): LedgerState {
  const decided = decideNext(ledger, requests);
  return decided === undefined ? ledger : settle(applyChange(ledger, decided.change), requests);
}

test("7.5 T6 the second of two resumes of one stop is answered: nothing to end", () => {
  const requests = makeRequests([
    { verb: "stop", scope: "all", second: 0 },
    { verb: "resume", scope: "all", second: 1 },
    { verb: "resume", scope: "all", second: 2 },
  ]);
  const { branch } = race(requests, []);
  const answers = requests.map(({ id }) => branch.requests[id]?.answer.split(":")[0]);
  expect(answers).toEqual(["stop v0 on all", "resumed v0 on all (ben", "nothing to resume"]);
});
