import { runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

describe("refusals of meshroll describe", () => {
  const cases: readonly { readonly args: readonly string[]; readonly says: string; readonly code?: number }[] = [
    { args: [], says: "say what to describe\n  meshroll describe KIND NAME" },
    { args: ["pod", "x"], says: "there is no kind pod" },
    { args: ["ns"], says: "say which one to describe\n  meshroll get namespaces\n    lists them" },
    { args: ["failures", "x"], says: "failures are not described one by one\n  meshroll get failures" },
    {
      args: ["run/0123456789ab", "x"],
      says: "has the kind and the name already\n  meshroll describe run/0123456789ab",
    },
    { args: ["run", "istio-1-25"], says: "istio-1-25 is not a run's id\n  meshroll get runs istio-1-25" },
    { args: ["campaign", "x", "-n", "a"], says: "campaigns cannot be listed by --namespace" },
    { args: ["run/0123456789ab"], says: "NATS is not configured", code: 78 },
    { args: ["0123456789ab"], says: "NATS is not configured", code: 78 },
  ];
  it.each(cases)("$args", async ({ args, says, code = 64 }) => {
    const answer = await runCli(["describe", ...args]);
    expect({ code: answer.code, stdout: answer.stdout }).toEqual({ code, stdout: "" });
    expect(answer.stderr).toContain(says);
  });
});
