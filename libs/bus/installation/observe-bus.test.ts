import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { expect, test } from "vitest";

import { observeBus } from "./observe-bus.ts";

function open() {
  const server = createFakeBusServer();
  const seen: string[] = [];
  const bus = observeBus(openFakeBus(server), {
    published: (subject, body) => void seen.push(`published ${subject} ${body}`),
    failed: () => void seen.push("failed"),
    put: (bucket, key, value) => void seen.push(`put ${bucket} ${key} ${value}`),
    heard: (bucket, { key, value }) => void seen.push(`heard ${bucket} ${key} ${value}`),
  });
  return { server, seen, bus };
}

test("the observer sees accepted calls, and not refused ones", async () => {
  const { server, seen, bus } = open();
  await bus.publish("meshroll.v1.x", "one");
  expect(await bus.bucket("status").put("fleet", "a", 7)).toBe(false);
  expect(await bus.bucket("status").put("fleet", "b")).toBe(true);
  server.disconnect();
  await expect(bus.publish("meshroll.v1.x", "two")).rejects.toThrow("does not answer");
  await expect(bus.bucket("status").put("fleet", "c")).rejects.toThrow("does not answer");
  expect(seen).toEqual(["published meshroll.v1.x one", "put status fleet b", "failed", "failed"]);
});

test("the watcher gets the same calls as without an observer, and so does the observer", async () => {
  const { server, seen, bus } = open();
  const heard: string[] = [];
  await bus.bucket("control").put("state", "1");
  const watcher = {
    onEntry: ({ key, value = "" }: { readonly key: string; readonly value?: string }) =>
      void heard.push(`${key}=${value}`),
    onReady: () => void heard.push("ready"),
    onReset: () => void heard.push("reset"),
  };
  await bus.bucket("control").watch(">", watcher, new AbortController().signal);
  server.wipe();
  await expect.poll(() => heard).toEqual(["state=1", "ready", "reset", "ready"]);
  expect(seen).toEqual(["put control state 1", "heard control state 1"]);
});
