import { describe, expect, it } from "vitest";

import { commit, run, runStatusOf, statusOf } from "../delivery/test-world.ts";
import type { RunReport } from "../facts/run-facts.ts";
import { renderComment } from "./github/comment.ts";
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

  it("but an invalid address makes no link", () => {
    const hostile = 'https://x.example.com/"><script>';
    expect(JSON.stringify(renderRunRoot(reportOf(hostile)))).not.toContain("x.example.com");
    expect(renderComment(reportOf(hostile))).not.toContain("x.example.com");
  });
});
