import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { createVirtualClock } from "#fakes/runtime";
import { afterEach, describe, expect, it } from "vitest";

import { createClosers } from "./closers.ts";
import { ConfigProblems } from "../config/config-problems.ts";
import { type HealthServer, startHealthServer } from "../http/health-server.ts";
import type { MetricRow } from "../metrics/metrics.ts";
import { secret } from "../secrets/secret.ts";
import { createVitals, openHealth } from "./vitals.ts";

const host = "127.0.0.1";
let server: HealthServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(findObstacle: () => string | undefined = () => undefined) {
  const clock = createVirtualClock();
  const vitals = createVitals(clock);
  server = await startHealthServer({ ...vitals, host, port: 0, findObstacle });
  const { url } = server;
  const get = async (path: string, method = "GET") => {
    const answer = await fetch(`${url}${path}`, { method });
    return { status: answer.status, text: await answer.text(), type: answer.headers.get("content-type") };
  };
  return { clock, vitals, get };
}

describe("health of a process", () => {
  it("is alive while its loop turns, and not any more 60 s after the last turn", async () => {
    const { clock, vitals, get } = await start();
    await clock.advance(50_000);
    vitals.pulse.beat();
    await clock.advance(60_000);
    expect(await get("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
    await clock.advance(1_000);
    expect(await get("/healthz")).toMatchObject({
      status: 503,
      text: "the event loop was blocked for 61 s: restart this process, nothing is lost\n",
    });
    vitals.pulse.beat();
    expect(await get("/healthz")).toMatchObject({ status: 200 });
  });

  it("distinguishes a hanging loop from a silent outside system, which is reported and no reason to restart", async () => {
    const { clock, vitals, get } = await start();
    let silence: string | undefined = "git has not answered a fetch for 42 s";
    vitals.silences.add(() => silence);
    expect(await get("/healthz")).toMatchObject({
      status: 200,
      text: "ok\ngit has not answered a fetch for 42 s; no restart of this process helps\n",
    });
    await clock.advance(61_000);
    expect(await get("/healthz")).toMatchObject({ status: 503 });
    vitals.pulse.beat();
    silence = undefined;
    expect(await get("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
  });

  it("says why it is not ready", async () => {
    let obstacle: string | undefined = "the bus does not answer";
    const { get } = await start(() => obstacle);
    expect(await get("/readyz")).toMatchObject({ status: 503, text: "the bus does not answer\n" });
    obstacle = undefined;
    expect(await get("/readyz?verbose")).toMatchObject({ status: 200, text: "ready\n" });
  });

  it.each([
    { path: "/", method: "GET", want: 404 },
    { path: "/metrics", method: "POST", want: 405 },
    { path: "/healthz", method: "DELETE", want: 405 },
  ])("$method $path is answered with $want", async ({ path, method, want }) => {
    const { get } = await start();
    expect(await get(path, method)).toMatchObject({ status: want });
  });
});

describe("metrics of a process", () => {
  it("are printed in Prometheus' format, including those that are read at the scrape", async () => {
    const { clock, vitals, get } = await start();
    const { metrics } = vitals;
    const known: MetricRow[] = [];
    metrics.ask("test_age_seconds", "An age", [], () => known);
    const count = metrics.count("test_total", "A count", ["kind"]);
    count.add({ kind: 'a "b"\n' });
    count.add({ kind: "c" }, 2);
    const level = metrics.level("test_level", "A level", ["run"]);
    level.replace([[{ run: "gone" }, 1]]);
    level.replace([[{ run: "open" }, 7]]);
    metrics.level("test_alone", "Another level").set(3);
    metrics.duration("test_seconds", "A duration").observe(0.2);
    await clock.advance(2_000);

    const { status, type, text } = await get("/metrics");
    expect({ status, type }).toEqual({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" });
    expect(text).toContain('test_total{kind="a \\"b\\"\\n"} 1\ntest_total{kind="c"} 2\n');
    expect(text).toContain('test_level{run="open"} 7\n');
    expect(text).not.toContain("gone");
    expect(text).toContain("test_alone 3\n");
    expect(text).toContain('test_seconds_bucket{le="0.5"} 1\n');
    expect(text).toContain("meshroll_loop_age_seconds 2\n");
    expect(text).toContain("process_resident_memory_bytes ");
    // No line while it is unknown: 0 would mean "just now".
    expect(text).not.toMatch(/^test_age_seconds /m);
    known.push([{}, 5]);
    expect((await get("/metrics")).text).toContain("test_age_seconds 5\n");
  });

  it("contain no secret in a label", async () => {
    const { vitals, get } = await start();
    const token = secret().parse("a-token-in-a-label");
    vitals.metrics.count("test_total", "A count", ["url"]).add({ url: `https://x/${token.reveal()}` });
    expect((await get("/metrics")).text).toContain('test_total{url="https://x/[redacted]"} 1');
  });
});

describe("opening it", () => {
  const vitals = () => createVitals(createVirtualClock());
  const noObstacle = () => undefined;

  it("nothing is opened without a port", async () => {
    const closers = createClosers();
    await openHealth({ MESHROLL_HEALTH_HOST: host }, vitals(), noObstacle, closers);
    await closers.closeAll(() => expect.unreachable());
  });

  it("a port that another process has is a problem of the environment", async () => {
    const other = createServer();
    await once(other.listen(0, host), "listening");
    const { port } = other.address() as AddressInfo;
    const options = { MESHROLL_HEALTH_HOST: host, MESHROLL_HEALTH_PORT: port };
    const opened = openHealth(options, vitals(), noObstacle, createClosers());
    await expect(opened).rejects.toThrow(ConfigProblems);
    await expect(opened).rejects.toThrow(/MESHROLL_HEALTH_PORT: cannot be served: .*EADDRINUSE/);
    other.close();
  });
});
