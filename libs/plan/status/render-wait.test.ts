import { makeLedger, makeRun, makeSnapshot, makeStop, sha } from "#test/world/build";
import { expect, test } from "vitest";

import type { BucketChange, RunRecord } from "../records/index.ts";
import { renderWait } from "./campaign-waits.ts";

const [low, high] = ["old=100", "new=100"];
const id = sha("raised").slice(0, 12);
const failures = makeStop({ id: "failures-1", scope: `run/${id}`, cause: "failures" });

function move(from: string, to: string, direction: BucketChange["direction"]): BucketChange {
  return { pattern: "production", from, to, direction };
}

/** The choices for the failure stop of the first run, by verb; the later runs made these changes. */
function listVerbs(later: readonly BucketChange[], stops: Parameters<typeof renderWait>[2] = []): readonly string[] {
  const runs: readonly RunRecord[] = [
    makeRun(sha("raised"), sha("base"), { order: 1, changes: [move(low, high, "forward")] }),
    ...later.map((change, at) => makeRun(sha(`later ${at}`), sha("raised"), { order: at + 2, changes: [change] })),
  ];
  const snapshot = makeSnapshot({ ledger: makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) }) });
  const { choices = [] } = renderWait(
    { scope: failures.scope, reason: { code: "Stopped", stop: failures } },
    snapshot,
    stops,
  );
  return choices.map(({ command }) => command.split(" ")[1] ?? "");
}

test.each([
  { name: "no later run", later: [], want: ["get", "retry", "rollback", "resume"] },
  { name: "a later run rolls it back", later: [move(high, low, "rollback")], want: ["get"] },
  {
    name: "a later run rolls another bucket back",
    later: [{ ...move(high, low, "rollback"), pattern: "staging" }],
    want: ["get", "retry", "rollback", "resume"],
  },
  {
    name: "a later run rolls a part of it back",
    later: [move(high, "new=50,old=50", "rollback")],
    want: ["get", "retry", "rollback", "resume"],
  },
])("at the failure stop of a run there is left to choose, where $name: $want", ({ later, want }) => {
  expect(listVerbs(later)).toEqual(want);
});

test("after a requested rollback of it only `get` is offered", () => {
  const rollback = makeStop({ id: "rollback-1", scope: failures.scope, cause: "rollback" });
  expect(listVerbs([], [{ ...rollback, from: "ledger" } as never])).toEqual(["get"]);
});
