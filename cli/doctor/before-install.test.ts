import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { fail, pass } from "./check.ts";
import { judgeBefore } from "./before-install.ts";

describe("doctor --pre", () => {
  it("missing planner: notChecked; missing rights: warned; missing Redis: failed; what passes stays", () => {
    expect(judgeBefore(fail({ code: "MR9022", area: "nats" }, "no planner"))).toMatchObject({ state: "notChecked" });
    expect(judgeBefore(fail({ code: "MR9061", area: "k8s" }, "one: may not move"))).toMatchObject({ state: "warned" });
    expect(judgeBefore(fail({ code: "MR9030", area: "redis" }, "no answer"))).toMatchObject({ state: "failed" });
    const fine = pass({ code: "MR9022", area: "nats" }, "a planner wrote");
    expect(judgeBefore(fine)).toBe(fine);
  });

  it("prints the next steps only when no check failed", async () => {
    const fine = await runCli(["doctor", "--pre", "--only", "redis"], { cwd: makeFolder({}) });
    expect(fine.stdout).toContain(
      "\nnext:\n  meshroll status --kubeconfig FILE --clusters NAME=CONTEXT\n    shows what runs; writes nothing\n",
    );
    const env = { MESHROLL_REDIS_URL: "redis://127.0.0.1:9" };
    const failed = await runCli(["doctor", "--pre", "--only", "redis"], { cwd: makeFolder({}), env });
    expect(failed.stdout).not.toContain("next:");
  });

  it("exits 79 when Redis does not answer", async () => {
    const env = { MESHROLL_REDIS_URL: "redis://127.0.0.1:9" };
    const { code, stdout } = await runCli(["doctor", "--pre", "--only", "redis"], { cwd: makeFolder({}), env });
    expect({ code, stdout }).toMatchObject({ code: 79, stdout: expect.stringContaining("MR9030") });
  });
});
