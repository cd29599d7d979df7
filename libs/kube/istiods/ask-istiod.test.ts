import { describe, expect, it } from "vitest";

import type { IstiodStatus } from "../objects/mesh/proxy-status.ts";
import { type ApiAnswer, ServerUnreachable } from "../requests/api-call.ts";
import { createIstiodAsker } from "./ask-istiod.ts";
import { GrpcRefused } from "./ask-over-grpc.ts";

const pod = { name: "istiod-1", namespace: "istio-system", labels: {}, uid: "u1", revision: "a", ready: true };
const trust = { serverName: "istiod.istio-system.svc", authority: undefined };
const good: IstiodStatus = { version: "1.31.0", proxies: [] };
const minute = 60_000;

/** An istiod behind an API server; the test sets what both answer, and the time. */
function openBench() {
  const asked: string[] = [];
  let now = 0;
  let made = 0;
  let makeToken = (): ApiAnswer => ({ status: 201, body: { status: { token: `t${(made += 1)}` } } });
  let answer: (token: string) => ApiAnswer | IstiodStatus = () => good;
  const ask = createIstiodAsker({
    send: async ({ path }) => {
      asked.push(path);
      return makeToken();
    },
    readStatus: async (_pod, _trust, token) => {
      asked.push(token);
      return answer(token);
    },
    monotonic: () => now,
  });
  return {
    asked,
    giveToken: (next: typeof makeToken) => void (makeToken = next),
    answer: (next: typeof answer) => void (answer = next),
    askAt: async (at: number) => {
      now = at;
      return ask(pod, trust);
    },
  };
}

describe("the token for istiod", () => {
  const path = "/api/v1/namespaces/istio-system/serviceaccounts/meshroll-istiod/token";

  it("is used until four fifths of its hour are over, then made again", async () => {
    const bench = openBench();
    for (const at of [0, 47 * minute, 48 * minute]) await bench.askAt(at);
    expect(bench.asked).toEqual([path, "t1", "t1", path, "t2"]);
  });

  it("is made again after istiod did not know it", async () => {
    const bench = openBench();
    bench.answer((token) => {
      if (token === "t1") throw new GrpcRefused(16, "authentication failure");
      return good;
    });
    const wanted = { kind: "refused", why: "authentication failure" };
    expect([await bench.askAt(0), await bench.askAt(1)]).toEqual([wanted, { kind: "said", status: good }]);
    expect(bench.asked).toEqual([path, "t1", path, "t2"]);
  });
});

describe("what an answer means", () => {
  const status = (code: number, message: string): ApiAnswer => ({ status: code, body: { kind: "Status", message } });
  const fail = (error: Error) => (): never => {
    throw error;
  };

  it.each([
    {
      name: "a right is missing",
      answer: () => status(403, "no"),
      want: { kind: "forbidden", right: "portforward", why: "no" },
    },
    { name: "the pod is gone", answer: () => status(404, "not found"), want: { kind: "silent", why: "not found" } },
    {
      name: "istiod lets the account read nothing",
      answer: fail(new GrpcRefused(7, "not available for current identity")),
      want: { kind: "refused", why: "not available for current identity" },
    },
    {
      name: "istiod is not ready",
      answer: fail(new GrpcRefused(14, "server is not ready")),
      want: { kind: "silent", why: "server is not ready" },
    },
    {
      name: "the connection breaks",
      answer: fail(new ServerUnreachable("api.example: connect ECONNREFUSED")),
      want: { kind: "silent", why: "api.example: connect ECONNREFUSED" },
    },
  ])("$name: $want.kind", async ({ answer, want }) => {
    const bench = openBench();
    bench.answer(answer);
    expect(await bench.askAt(0)).toEqual(want);
  });

  it.each([
    {
      name: "no right to make tokens",
      given: status(403, "no"),
      want: { kind: "forbidden", right: "token", why: "no" },
    },
    { name: "no such account", given: status(404, "gone"), want: { kind: "forbidden", right: "account", why: "gone" } },
    { name: "an answer without a token", given: status(201, "what"), want: { kind: "silent", why: "what" } },
  ])("$name: $want.kind", async ({ given, want }) => {
    const bench = openBench();
    bench.giveToken(() => given);
    expect(await bench.askAt(0)).toEqual(want);
  });

  it("a fault of our own is not hidden", async () => {
    const bench = openBench();
    bench.answer(fail(new TypeError("a bug")));
    await expect(bench.askAt(0)).rejects.toThrow("a bug");
  });
});
