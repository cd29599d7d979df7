import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { createLogger, createMetrics } from "#libs/runtime";
import { expect, test } from "vitest";

import { createHintSender } from "./send-hints.ts";

function open() {
  const server = createFakeBusServer();
  const clock = createVirtualClock();
  const metrics = createMetrics();
  const stop = new AbortController();
  const lines: string[] = [];
  const log = createLogger("test", [], "info", (line) => void lines.push(line));
  const hint = createHintSender({ bus: openFakeBus(server), clock, log, metrics }, stop.signal);
  const sent = () => server.messages.map(({ body }) => (JSON.parse(body) as { readonly data: unknown }).data);
  return { server, clock, stop, hint, sent, lines, metrics };
}

const main = { main: true, pulls: false };
const pulls = { main: false, pulls: true };

test("the first hint is sent at once", async () => {
  const { clock, hint, sent } = open();
  hint(main);
  await clock.settle();
  expect(sent()).toEqual([main]);
});

test("hints within 100 ms are merged, and a flood is ten a second", async () => {
  const { clock, hint, sent } = open();
  hint(pulls);
  await clock.settle();
  hint(pulls);
  hint(main);
  await clock.advance(100);
  expect(sent()).toEqual([pulls, { main: true, pulls: true }]);
  for (let tick = 0; tick < 100; tick += 1) {
    for (let each = 0; each < 20; each += 1) hint(main);
    await clock.advance(10);
  }
  expect(sent().length).toBeLessThanOrEqual(2 + 11);
  await clock.advance(1_000);
  expect(sent().length).toBeLessThanOrEqual(2 + 12);
});

test("after a quiet time the next hint is sent at once", async () => {
  const { clock, hint, sent } = open();
  hint(main);
  await clock.advance(1_000);
  hint(main);
  await clock.settle();
  expect(sent()).toHaveLength(2);
});

test("without the bus the hint is lost and counted, and nothing else happens", async () => {
  const { server, clock, hint, sent, lines, metrics } = open();
  server.disconnect();
  hint(main);
  await clock.advance(200);
  server.connect();
  hint(pulls);
  await clock.advance(200);
  expect(sent()).toEqual([pulls]);
  expect(lines.join("")).toContain("finds the change when it polls");
  expect((await metrics.print()).text).toContain('meshroll_hints_total{outcome="lost"} 1');
});

test("nothing is sent after the signal", async () => {
  const { clock, stop, hint, sent } = open();
  stop.abort();
  hint(main);
  await clock.advance(1_000);
  expect(sent()).toEqual([]);
});
