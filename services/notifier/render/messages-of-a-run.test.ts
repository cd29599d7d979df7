import { describe, expect, it } from "vitest";
import type { Content } from "#libs/chat";
import { writeText } from "#libs/wording";

import { addItem, emptyGroup, endItem } from "../facts/group.ts";
import type { RunReport } from "../facts/run-facts.ts";
import { commit, doneOf, failedOf, run, runStatusOf, startAt, statusOf, stopOf } from "../delivery/test-world.ts";
import { renderComment } from "./github/comment.ts";
import { renderFailureLine, renderFailures } from "./slack/failures.ts";
import { renderLateLine } from "./slack/late.ts";
import { renderRunDone } from "./slack/run-done.ts";
import { renderRunRoot } from "./slack/run-root.ts";
import { renderStopResumed, renderStopPlaced, renderStopRoot } from "./slack/stops.ts";
import { sentenceOf } from "#test/world/words";
import { renderOver, renderWaitLine, renderWaits } from "./slack/waits.ts";

/** The whole text of a message. */
function read({ blocks }: Content): string {
  return blocks.map((block) => (block.kind === "fields" ? block.fields.join("\n") : block.text)).join("\n");
}

const facts = { id: run, commit, subject: "production: 5 to 25", author: "ana", startedAt: "2026-11-21T13:00:00.000Z" };
const ended = {
  ...facts,
  end: { run, state: "done", migrated: 38, skipped: 2, at: "2026-11-21T14:00:00.000Z" },
} as const;
const wait = {
  scope: `run/${run}@two`,
  code: "RevisionMissing",
  message: writeText("revision 1-29 has no injector webhook"),
  owner: "the mesh operator",
  command: "istioctl install --revision 1-29",
};

describe("the message of a run gives the five answers", () => {
  const cases: readonly { readonly name: string; readonly report: RunReport; readonly want: readonly string[] }[] = [
    {
      name: "while it runs",
      report: { facts, run: runStatusOf(), status: statusOf() },
      want: [
        "production: 5 to 25 · running",
        "`█████░░░░░░░░░░░░░░░` 10 of 40 workloads · 3 migrating",
        "production: 1-29 requested 25 %, actual 12.5 % (10 of 80)",
        "*Rollouts*\none: 1 restarting of run abcdefabcdef: shop/Deployment/web",
        "*Waiting for*\nnothing",
        "*If no one acts*\n27 workloads left until the fleet matches rollouts.yml",
        `*Stop* \`meshroll pause run/${run} --reason "…"\``,
        `*Undo* \`meshroll rollback run/${run} --reason "…"\`: up to 13 workloads are rolled back`,
        "merged by ana",
      ],
    },
    {
      name: "while it waits for a person, in two clusters for the same",
      report: {
        facts,
        run: runStatusOf({ migrating: 0, pending: 0, waiting: 30 }),
        status: statusOf({
          waiting: [wait, { ...wait, scope: `run/${run}@three` }, { ...wait, scope: "run/other@x" }],
        }),
      },
      want: ["· waiting", "revision 1-29 has no injector webhook (blocks 2 clusters)"],
    },
    {
      name: "while it is stopped",
      report: {
        facts,
        run: runStatusOf(),
        status: statusOf({ stops: [stopOf("v1", `run/${run}`)] }),
      },
      want: ["production: 5 to 25 · paused"],
    },
    {
      name: "while one cluster is stopped by its ConfigMap and the run continues elsewhere",
      report: {
        facts,
        run: runStatusOf(),
        status: statusOf({ stops: [{ ...stopOf("v1", "all"), foundIn: "one" }] }),
      },
      want: ["production: 5 to 25 · running"],
    },
    {
      name: "after its end",
      report: { facts: ended, status: statusOf({ runs: [] }) },
      want: [
        "· done, some skipped",
        "38 of 40 workloads · 2 skipped",
        "*Stop* the run has ended",
        "*Undo* `meshroll rollback",
      ],
    },
    { name: "before the planner has published a status", report: { facts }, want: ["· started", "not known yet"] },
    {
      name: "when the message of its end was lost",
      report: { facts, status: statusOf({ runs: [] }), hasVanished: true },
      want: ["production: 5 to 25 · over"],
    },
    {
      name: "while the planner is silent",
      report: { facts, run: runStatusOf(), status: statusOf(), silentSince: "2026-11-21T13:10:00.000Z" },
      want: ["no status from the planner since <!date^1795266600^"],
    },
  ];
  it.each(cases)("$name", ({ report, want }) => {
    const content = renderRunRoot(report);
    for (const part of want) expect(read(content)).toContain(part);
    expect(content.blocks.length).toBeLessThanOrEqual(6);
    expect(content.text).toMatch(/\.$/);
  });

  it("a subject with mentions pings no account", () => {
    const content = renderRunRoot({
      facts: { ...facts, subject: "<!channel> @here [x](http://y)" },
      run: runStatusOf(),
    });
    expect(JSON.stringify(content)).not.toMatch(/<!channel|@here/);
  });

  it("a fleet of a thousand buckets and waits fits into one message", () => {
    const where = Array.from({ length: 1000 }, (_, index) => ({
      bucket: `b-${index}-${"x".repeat(200)}`,
      namespaces: 1,
      shares: [],
      mixed: 0,
    }));
    const waiting = Array.from({ length: 1000 }, (_, index) => ({
      ...wait,
      scope: "all",
      message: writeText(`${index} ${"y".repeat(500)}`),
    }));
    const content = renderRunRoot({ facts, run: runStatusOf(), status: statusOf({ where, waiting }) });
    for (const block of content.blocks) {
      const texts = block.kind === "fields" ? block.fields : [block.text];
      for (const each of texts) expect(each.length).toBeLessThanOrEqual(block.kind === "fields" ? 2000 : 3000);
    }
    expect(read(content)).toMatch(/and \d+ more/);
  });
});

describe("the comment of a merged pull request", () => {
  it("gives the five answers and what did not move, by reason", () => {
    const skipped = [
      {
        cluster: "one",
        workload: "shop/Deployment/web",
        code: "ReadinessTimeout",
        message: writeText("ReadinessTimeout"),
        at: "2026-11-21T13:18:56.537Z",
      },
      {
        cluster: "two",
        workload: "shop/Deployment/web",
        code: "ReadinessTimeout",
        message: writeText("ReadinessTimeout"),
        at: "2026-11-21T13:20:00.000Z",
      },
    ];
    const report = { facts, run: runStatusOf({ skipped, skippedTotal: 2 }), status: statusOf({ waiting: [wait] }) };
    const body = renderComment(report);
    for (const part of [
      `### Run \`${run}\` is running`,
      "**10 of 40** workloads run what was merged · 3 migrating",
      "- **Where**: production: 1-29 requested 25 %, actual 12.5 % \\(10 of 80\\)",
      "- **Rollouts**: one: 1 restarting of run abcdefabcdef: shop/Deployment/web",
      "- **Waiting for**: `istioctl install --revision 1-29`: revision 1-29 has no injector webhook",
      "- **Stop**: `meshroll pause",
      "- **Undo**: `meshroll rollback",
      "<details><summary>2 not moved, by reason</summary>",
      "| 2 | ReadinessTimeout | `one:shop/Deployment/web`, `two:shop/Deployment/web` |",
    ]) {
      expect(body).toContain(part);
    }
  });

  it("is the record after the end", () => {
    const reasons = [
      { code: "Overwritten", reason: "Overwritten by @helm", count: 2, workloads: ["one:a/Deployment/b"] },
    ];
    const body = renderComment({ facts: { ...ended, end: { ...ended.end, reasons } } });
    expect(body).toContain("is done, some skipped since 2026-11-21T14:00:00.000Z");
    expect(body).toContain("| 2 | Overwritten by @&#8203;helm | `one:a/Deployment/b`, … |");
  });

  it("stays below GitHub's 65,536 characters with a hundred long reasons", () => {
    const reasons = Array.from({ length: 100 }, (_, index) => {
      return {
        code: "Overwritten",
        reason: `${index}${"|@".repeat(500)}`,
        count: 100,
        workloads: Array.from({ length: 10 }, () => "x".repeat(300)),
      };
    });
    expect(renderComment({ facts: { ...ended, end: { ...ended.end, reasons } } }).length).toBeLessThan(65_536);
  });
});

describe("messages for each kind of news", () => {
  const failed = failedOf("shop/Deployment/web", 60, "ReadinessTimeout", "one", "app is not ready");
  const failures = (count: number) => {
    let group = emptyGroup;
    for (let index = 0; index < count; index += 1) {
      const line = failed.type === "workload.v1.failed" ? renderFailureLine(failed.data) : "";
      group = addItem(group, { id: String(index), line });
    }
    return read(renderFailures({ run, reason: "ReadinessTimeout" }, group));
  };

  it("failures are grouped, with the command to type", () => {
    expect(failures(1)).toContain("1 workload failed: ReadinessTimeout");
    expect(failures(1)).toContain(
      "`shop/Deployment/web` in `one`, to `1-29`: put back; ReadinessTimeout: app is not ready",
    );
    expect(failures(1)).toContain(`meshroll retry run/${run}`);
    expect(failures(40)).toContain("40 workloads failed");
    expect(failures(40)).toContain("… and 28 more (40 in all)");
  });

  const stop = { stop: "v1", scope: "cluster/one", who: "ana", why: "5xx <!here>" };
  const stops = [
    {
      name: "a pause",
      data: stop,
      want: ["*Paused: `cluster/one`* by ana", 'meshroll resume cluster/one --reason "…"'],
    },
    {
      name: "a hold",
      data: { ...stop, strength: "propose" } as const,
      want: ["*Held:", "meshroll unhold cluster/one"],
    },
    { name: "a rollback", data: { ...stop, cause: "rollback" }, want: ["*Rolled back:", "restores what main had"] },
    {
      name: "a rollback's hold",
      data: { ...stop, cause: "rolledBack" },
      want: ["*Held:", "stays on the old revision until a person ends", "meshroll unhold"],
    },
    {
      name: "a stop with an end",
      data: { ...stop, until: "2026-11-22T09:00:00.000Z" },
      want: ["*Overdue after* <!date^", "it stays until a person ends it"],
    },
  ];
  it.each(stops)("$name", ({ data, want }) => {
    for (const part of want) expect(read(renderStopPlaced(data))).toContain(part);
    expect(read(renderStopRoot(data))).not.toContain("<!here");
  });

  it("a resume has its actor and reason", () => {
    const shown = read(renderStopResumed({ stops: ["v1"], scopes: ["all"], who: "ben", why: "fixed" }));
    expect(shown).toContain("*Resumed: `all`* by ben");
    expect(shown).toContain("*Why* fixed");
  });

  it("holds are unheld", () => {
    const data = { stops: ["h1"], scopes: ["bucket/production"], who: "ben", why: "fixed", verb: "unhold" as const };
    expect(read(renderStopResumed(data))).toContain("*Unheld: `bucket/production`* by ben");
  });

  const ends = [
    {
      name: "all migrated",
      more: {},
      want: ":white_check_mark: *Run `abcdefabcdef` is done: all 40 workloads migrated.*",
    },
    {
      name: "some skipped",
      more: { skipped: 2 },
      want: ":warning: *Run `abcdefabcdef` is done: 40 migrated, 2 did not move",
    },
    { name: "without workloads", more: { state: "empty" }, want: "it concerned no workload" },
    { name: "its commit vanished", more: { state: "gone" }, want: "its commit is not on main any more" },
  ] as const;
  it.each(ends)("a run that ended: $name", ({ more, want }) => {
    const done = doneOf(more);
    expect(done.type === "run.v1.done" ? read(renderRunDone(done.data, done.at)) : "").toContain(want);
  });

  it("a wait has its owner, command and end", () => {
    const line = renderWaitLine({ ...wait, message: sentenceOf(wait), since: new Date(startAt).toISOString() });
    const group = addItem(emptyGroup, { id: "w", line });
    expect(read(renderWaits("RevisionMissing", group))).toContain(
      "the mesh operator: `istioctl install --revision 1-29`",
    );
    const over = endItem(group, "w", renderOver("2026-11-21T13:00:00.000Z", "2026-11-21T13:12:00.000Z"));
    expect(read(renderWaits("RevisionMissing", over))).toContain("ended after 12 min");
  });

  it("a late event has its time; an event without news has no line", () => {
    expect(renderLateLine(failed)).toContain("`shop/Deployment/web` in `one` failed: ReadinessTimeout");
    expect(renderLateLine(doneOf())).toBeUndefined();
  });
});
