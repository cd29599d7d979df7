import { createHmac } from "node:crypto";

import { type Bus, openBus } from "#libs/bus";
import { makeEvent, nameSubject, readEvent } from "#libs/events";
import { testInstallation } from "#libs/input";
import { createLogger, createVitals, systemClock } from "#libs/runtime";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";

import { createApi } from "../../services/api/service.ts";
import { useOwnBroker } from "./own-broker.ts";
import { waitOptions } from "./wait-options.ts";

const server = useOwnBroker("nats");
const secret = "the-secret-of-the-webhook";

afterEach(async () => server().start());

async function open(name: string): Promise<Bus> {
  const bus = await openBus({ installation: testInstallation, url: server().url, name, patient: true });
  onTestFinished(async () => bus.close());
  return bus;
}

/** An api over the real bus, on a free port; `end` does what SIGTERM does. */
async function startApi() {
  const bus = await open("api");
  const stop = new AbortController();
  const log = createLogger("api", [], "silent");
  const clock = systemClock();
  const options = { bus, clock, log, vitals: createVitals(clock), branch: "main", webhookSecrets: [secret] };
  const api = await createApi(options, stop.signal);
  const url = await api.server.listen({ host: "127.0.0.1", port: 0 });
  const ran = api.run();
  const end = async () => {
    stop.abort();
    await ran;
    await api.server.close();
  };
  onTestFinished(end);
  return { url, end };
}

/** A reader of the event stream that records what it receives. */
async function readEvents(url: string, lastId?: string) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const headers = lastId === undefined ? {} : { "last-event-id": lastId };
  const answer = await fetch(`${url}/v1/events`, { headers, signal: stop.signal });
  const got = { text: "" };
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) got.text += Buffer.from(chunk).toString();
  })();
  reading.catch(() => undefined);
  return {
    answer,
    ids: () => [...got.text.matchAll(/^id: stop\.v1\.resumed\/(.*)$/gm)].map((match) => match[1] ?? ""),
    got,
  };
}

async function publish(bus: Bus, id: string): Promise<void> {
  const event = makeEvent("stopResumed", id, Date.now(), { stops: [id], who: "ana", why: "looked at" });
  await bus.publish(nameSubject(event), JSON.stringify(event));
}

const fleet = (extra: object = {}) => ({ kind: "FleetStatus", at: "x", wroteAt: Date.now(), ...extra });

it("serves what the planner publishes, also after the bus was killed and wiped", async () => {
  const planner = await open("planner");
  const { url } = await startApi();
  await planner.bucket("status").put("fleet", JSON.stringify(fleet({ state: "Idle" })));
  await vi.waitFor(async () => expect((await fetch(`${url}/v1/status`)).status).toBe(200), waitOptions);
  expect(await (await fetch(`${url}/v1/status`)).json()).toMatchObject({ state: "Idle" });

  await server().kill();
  server().wipe();
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), waitOptions);
  // The last status is still served, because it is not old yet.
  expect((await fetch(`${url}/v1/status`)).status).toBe(200);
  await server().start();
  await planner.bucket("status").put("fleet", JSON.stringify(fleet({ state: "InProgress" })));
  await vi.waitFor(async () => {
    expect(await (await fetch(`${url}/v1/status`)).json()).toMatchObject({ state: "InProgress" });
  }, waitOptions);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it("a reader that was cut off continues at another api, and misses no event in between", async () => {
  const planner = await open("planner");
  const first = await startApi();
  const reader = await readEvents(first.url);
  expect(reader.answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await publish(planner, "one");
  await publish(planner, "two");
  await vi.waitFor(() => expect(reader.ids()).toEqual(["one", "two"]), waitOptions);
  await first.end();
  await publish(planner, "three");

  const second = await startApi();
  await vi.waitFor(async () => {
    const again = await readEvents(second.url, "stop.v1.resumed/two");
    expect(again.got.text).not.toContain("event: gap");
    await vi.waitFor(() => expect(again.ids()).toEqual(["three"]), { timeout: 500, interval: 20 });
  }, waitOptions);
});

it("a reader gets the events that were published while its api had no bus, once", async () => {
  const planner = await open("planner");
  const { url } = await startApi();
  const reader = await readEvents(url);
  await publish(planner, "before");
  await vi.waitFor(() => expect(reader.ids()).toEqual(["before"]), waitOptions);
  await server().kill();
  await server().start();
  for (const id of ["after-1", "after-2"]) await publish(planner, id);
  await vi.waitFor(() => expect(reader.ids().toSorted()).toEqual(["after-1", "after-2", "before"]), waitOptions);
});

it("a signed webhook delivery becomes one hint on the bus", async () => {
  const planner = await open("planner");
  const { url } = await startApi();
  const bodies: string[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  await planner.listen("meshroll.v1.hint.v1.github", (_subject, body) => bodies.push(body), stop.signal);
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-github-event": "push", "x-hub-signature-256": signature };
  const answer = await fetch(`${url}/webhooks/github`, { method: "POST", body, headers });
  await vi.waitFor(() => expect(bodies).toHaveLength(1), { timeout: 60_000, interval: 5 });
  expect(answer.status).toBe(202);
  expect(readEvent(bodies[0] ?? "")).toMatchObject({ data: { main: true, pulls: true } });
});
