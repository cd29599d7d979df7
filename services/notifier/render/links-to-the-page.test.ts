import { writeText } from "#libs/wording";
import { describe, expect, it } from "vitest";

import { commit, run, runStatusOf, statusOf } from "../delivery/test-world.ts";
import type { RunReport } from "../facts/run-facts.ts";
import { renderComment } from "./github/comment.ts";
import { renderDashboard } from "./github/dashboard.ts";
import { renderFailureLine } from "./slack/failures.ts";
import { renderRunDone } from "./slack/run-done.ts";
import { renderRunRoot } from "./slack/run-root.ts";

const facts = { id: run, commit, subject: "production: 5 to 25", author: "ana", startedAt: "2026-11-21T13:00:00.000Z" };

describe("the page of a run is one click away", () => {
  const page = "https://meshroll.example.com/mesh/";
  const address = `https://meshroll.example.com/mesh/runs/${run}`;
  const reportOf = (shown: string): RunReport => ({ facts, run: runStatusOf(), status: statusOf({ page: shown }) });

  it("in the message and in the comment", () => {
    expect(JSON.stringify(renderRunRoot(reportOf(page)))).toContain(`<${address}|page>`);
    expect(renderComment(reportOf(page))).toContain(`<a href="${address}">`);
  });

  it("in the dashboard, and in the message of its end", () => {
    expect(renderDashboard(statusOf({ page }))).toContain(`[\`run/${run}\`](${address})`);
    const done = renderRunDone({ run, state: "done", migrated: 40, skipped: 0 }, "2026-11-21T13:10:00.000Z", page);
    expect(JSON.stringify(done)).toContain(`<${address}|page>`);
  });

  it("but an invalid address makes no link", () => {
    const hostile = 'https://x.example.com/"><script>';
    expect(JSON.stringify(renderRunRoot(reportOf(hostile)))).not.toContain("x.example.com");
    expect(renderComment(reportOf(hostile))).not.toContain("x.example.com");
  });
});

describe("the page of a namespace is one click away where it is named", () => {
  const page = "https://meshroll.example.com";
  const address = `${page}/namespaces/shop`;
  const skipped = [
    {
      cluster: "one",
      workload: "shop/Deployment/web",
      code: "ReadinessTimeout",
      message: writeText("ReadinessTimeout"),
      at: "2026-11-21T13:18:56.537Z",
    },
  ];
  const shown = runStatusOf({ skipped, skippedTotal: 1 });
  const failed = {
    run,
    cluster: "one",
    workload: "shop/Deployment/web",
    revision: "1-29",
    reason: "x",
    reverted: true,
  };

  it("in the comment, and in the message of failures", () => {
    const report: RunReport = { facts, run: shown, status: statusOf({ page }) };
    expect(renderComment(report)).toContain(`[\`one:shop/Deployment/web\`](${address})`);
    expect(renderFailureLine(failed, page)).toContain(`<${address}|page>`);
  });

  it("and without an address of the page the same names are no links", () => {
    const report: RunReport = { facts, run: shown, status: statusOf() };
    expect(renderComment(report)).toContain("`one:shop/Deployment/web`");
    expect(renderComment(report)).not.toContain("](");
    expect(renderFailureLine(failed)).not.toContain("|page>");
  });
});
