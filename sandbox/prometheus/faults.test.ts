import { openPrometheus, type PrometheusOptions, type QueryAnswer } from "#libs/prometheus";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type PrometheusFault, type PrometheusStandIn, startPrometheus } from "./index.ts";

const noon = 1_795_088_580_000;
const query = "up";

describe("a Prometheus with a fault", () => {
  let server: PrometheusStandIn;
  beforeEach(async () => {
    server = await startPrometheus({ token: "right" });
    server.plant(query, [1]);
  });
  afterEach(async () => server.close());

  async function request(change: Partial<PrometheusOptions> = {}): Promise<QueryAnswer> {
    return openPrometheus({ url: server.url, token: "right", timeoutMs: 20_000, ...change }).query(query, noon);
  }

  const notPrometheus = "it answers 200, and not what Prometheus answers";
  interface Case {
    readonly fault: PrometheusFault;
    readonly why: string;
    readonly timeoutMs?: number;
  }
  const cases: Readonly<Record<string, Case>> = {
    "that is down behind a proxy": {
      fault: { kind: "status", status: 503 },
      why: "it answers 503, and not what Prometheus answers",
    },
    "that cuts connections": { fault: { kind: "reset" }, why: "other side closed" },
    "that never answers": { fault: { kind: "hang" }, timeoutMs: 300, why: "no answer within 0.3 s" },
    "that stops in the middle of its answer": {
      fault: { kind: "stall" },
      timeoutMs: 300,
      why: "no answer within 0.3 s",
    },
    "that answers without an end": { fault: { kind: "flood" }, why: "its answer is longer than 1 MiB" },
    "that redirects": {
      fault: { kind: "redirect", to: "http://127.0.0.1:1/" },
      why: "it redirects (302), and redirects are not followed: set the address that it names",
    },
    "whose query timed out": {
      fault: { kind: "error", status: 503, errorType: "timeout" },
      why: "timeout: it is about timeout",
    },
    "that answers half a document": { fault: { kind: "body", text: '{"status":"succ' }, why: notPrometheus },
    "that answers another document": { fault: { kind: "body", text: '{"ok":true}' }, why: notPrometheus },
  };
  for (const [name, { fault, why, ...limit }] of Object.entries(cases)) {
    it(`one ${name} is unavailable, and says why`, async () => {
      server.setFault(fault);
      expect(await request(limit)).toEqual({ kind: "unavailable", why });
      server.setFault(undefined);
      expect(await request()).toEqual({ kind: "value", value: 1 });
    });
  }

  it.each(["matrix", "string"])("a query that answers a %s is refused", async (resultType) => {
    server.setFault({
      kind: "body",
      text: JSON.stringify({ status: "success", data: { resultType, result: [] } }),
    });
    expect(await request()).toEqual({
      kind: "refused",
      why: `the query answers a ${resultType}, and a gate needs one number`,
    });
  });

  it("a query that answers a histogram is refused", async () => {
    const data = { resultType: "vector", result: [{ metric: {}, histogram: [1, {}] }] };
    server.setFault({ kind: "body", text: JSON.stringify({ status: "success", data }) });
    expect(await request()).toMatchObject({ kind: "refused" });
  });

  it("a scalar is a number too", async () => {
    server.plantScalar("scalar(up)", 0.25);
    const prometheus = openPrometheus({ url: `${server.url}/`, token: "right" });
    expect(await prometheus.query("scalar(up)", noon)).toEqual({ kind: "value", value: 0.25 });
  });

  it("a token that is wrong, or was revoked, is named by its variable", async () => {
    expect(await request({ token: "wrong" })).toEqual({
      kind: "unavailable",
      why: "it answers 401: look at MESHROLL_PROMETHEUS_TOKEN",
    });
  });

  it("sends the token in a header, and query and time in the body", async () => {
    await request();
    expect(server.calls).toEqual([{ query, at: noon, authorization: "Bearer right" }]);
  });

  it("a server that is not there is unavailable", async () => {
    expect(await request({ url: "http://127.0.0.1:1" })).toMatchObject({ kind: "unavailable" });
  });

  it("answers a GET too, for people with curl", async () => {
    const answer = await fetch(`${server.url}/api/v1/query?query=up&time=${noon / 1000}`, {
      headers: { authorization: "Bearer right" },
    });
    expect(await answer.json()).toMatchObject({ status: "success", data: { resultType: "vector" } });
  });
});
