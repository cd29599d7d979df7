import {
  compileSpec,
  listRequestedRollbacks,
  proposeMoves,
  type RunRecord,
  type Spec,
  type StopRecord,
  waitForHand,
} from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeSnapshot, makeStop, makeWorkload, noon, sha } from "#test/world/build";
import { printPull, renderReason, renderRollbackPull } from "#libs/wording";
import { describe, expect, it } from "vitest";

import { describeRollback } from "./describe-rollback.ts";

const [before, after] = [sha("before"), sha("after")];

function runOf(...patterns: readonly string[]): RunRecord {
  const changes = patterns.map((pattern) => ({ pattern, from: "", to: "", direction: "forward" }) as const);
  return makeRun(after, before, { changes });
}

function specOf(text: string): Spec {
  const compiled = compileSpec(after, text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

describe("the texts of a rollback", () => {
  const run = { ...runOf("production", "x-.*"), subject: "raise a|b", author: "ben" };
  const asked = (change: Partial<StopRecord> = {}) => {
    const stop = makeStop({
      id: "r",
      scope: `run/${run.id}`,
      cause: "rollback",
      revertTo: before,
      who: "ana",
      why: "5xx",
      ...change,
    });
    const ledger = makeLedger({ runs: { [run.id]: run }, stops: { r: stop } });
    const [only] = listRequestedRollbacks(makeSnapshot({ ledger }));
    if (only === undefined) throw new Error("a rollback is asked");
    return only;
  };
  const now = specOf("production: { a: 0, b: 100 }\nx-.*: { b: 100 }\n");
  const then = specOf("production: { a: 75, b: 25 }\n");
  const workloads = ["shop/a", "x-1/a", "x-1/b"].map((name) => makeWorkload(name, {}, "b"));
  const all = specOf("production: { a: 100 }\n");
  const proposal = proposeMoves(now, all, [makeCluster("one", workloads)], noon);
  const short = run.id;
  const wanted = ["production", "x-.*"];

  it("the title says where its first bucket is rolled back to, how many more, and why", () => {
    expect(printPull(renderRollbackPull(describeRollback(asked(), wanted, now, then, proposal))).title).toBe(
      `rollback(${short}): production back to a 75 %, b 25 % and 1 more: 5xx`,
    );
    const single = { ...asked(), run: { ...runOf("x-.*"), id: "one" } };
    expect(printPull(renderRollbackPull(describeRollback(single, ["x-.*"], now, then, proposal))).title).toBe(
      "rollback(one): x-.* back to not in the file: 5xx",
    );
  });

  it("the body says what was, what comes, how many move, who asked, and how it ends", () => {
    const { body } = printPull(renderRollbackPull(describeRollback(asked(), wanted, now, then, proposal)));
    expect(body.split("\n\n").slice(0, 4)).toEqual([
      `Rolls back run \`${short}\` (raise a\\|b, by ben) to main at \`${before.slice(0, 12)}\`.`,
      "Asked by **ana** at 2026-11-19T12:00:00.000Z: 5xx",
      [
        "| bucket | now | rolled back to |",
        "|---|---|---|",
        "| `production` | b 100 % | a 75 %, b 25 % |",
        "| `x-.*` | b 100 % | not in the file |",
      ].join("\n"),
      "Moves 2 of 2 managed namespaces: 3 workloads.",
    ]);
    expect(body).toContain(
      'on hold until a person ends it: `meshroll unhold bucket/production --reason "…"`, ' +
        "`meshroll unhold 'bucket/x-.*' --reason \"…\"`",
    );
    expect(body).toContain(`\`meshroll resume --id r --reason "…"\` ends the rollback`);
  });

  it("2.4 the body says that a rollback --now is in progress already", () => {
    const { body } = printPull(renderRollbackPull(describeRollback(asked({ now: true }), wanted, now, then, proposal)));
    expect(body).toContain("3 workloads. They are rolled back already, before this is merged (`--now`).");
  });

  it("a file that only a person can edit is named, with the commands", () => {
    const wait = waitForHand(asked(), wanted, true, { code: "NeedsReformat", bucket: "x-.*" });
    const { scope, reason } = { ...wait, reason: renderReason(wait.reason) };
    expect([scope, reason.code, reason.owner]).toEqual([`run/${short}`, "RollbackByHand", "ana"]);
    expect(reason.message).toBe(
      `the rollback of run ${short} by ana waits for a person to set production, x-.* back to ` +
        `${before.slice(0, 12)} on main: bucket x-.* cannot be edited without reformatting the file`,
    );
    expect(reason.command).toBe(
      `git fetch origin && git switch -c meshroll/rollback/${short} origin/main && ` +
        `git restore --source ${before} -- rollouts.yml && ` +
        `git commit -am "Roll back run ${short}" && git push origin meshroll/rollback/${short}`,
    );
    // The older file would also set back later changes of other buckets.
    const { command } = renderReason(waitForHand(asked(), wanted, false).reason);
    expect(command).toContain(`git diff HEAD ${before} -- rollouts.yml && "\${EDITOR:-vi}" rollouts.yml && git commit`);
  });
});
