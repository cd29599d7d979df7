import { expect, it, vi } from "vitest";

import { type Bench, createPicture, openFor, openOtherFor, stopAtEnd } from "./bench.ts";

const buckets = ["control", "status", "inventory", "vms"] as const;

/** Two installations share one server. */
export function describeApart(make: () => Promise<Bench>): void {
  it.each(buckets)("what one stores in %s the other neither sees, overwrites nor deletes", async (name) => {
    const bench = await make();
    const [one, other] = [await openFor(bench), await openOtherFor(bench)];
    const picture = createPicture();
    await other.bucket(name).watch(">", picture, stopAtEnd().signal);
    await one.bucket(name).put("state", "of one");
    expect(await other.bucket(name).get("state")).toBe(undefined);
    expect(await other.bucket(name).put("state", "of the other", 0)).toBe(true);
    await vi.waitFor(() => expect([...picture.keys]).toEqual([["state", "of the other"]]));
    await other.bucket(name).sweep(">", Number.MAX_SAFE_INTEGER);
    await other.bucket(name).delete("state");
    expect((await one.bucket(name).get("state"))?.value).toBe("of one");
  });

  it("one receives no message of the other, now or later", async () => {
    const bench = await make();
    const [one, other] = [await openFor(bench), await openOtherFor(bench)];
    const heard: string[] = [];
    await other.listen("meshroll.v1.>", (subject, body) => heard.push(`${subject} ${body}`), stopAtEnd().signal);
    await one.publish("meshroll.v1.x", "of one");
    await other.publish("meshroll.v1.x", "of the other");
    await vi.waitFor(() => expect(heard).toEqual(["meshroll.v1.x of the other"]));
    expect(await other.recent(10)).toEqual([{ subject: "meshroll.v1.x", body: "of the other" }]);
  });

  it("work of one name is shared only by the processes of one installation", async () => {
    const bench = await make();
    const [one, other] = [await openFor(bench), await openOtherFor(bench)];
    const stop = new AbortController();
    const told: string[] = [];
    const carryOut = (by: string) => async (delivery: { readonly subject: string; readonly body: string }) => {
      told.push(`${by}: ${delivery.subject} ${delivery.body}`);
      return "done" as const;
    };
    const working = [
      one.work("tellers", "meshroll.v1.>", carryOut("one"), stop.signal),
      other.work("tellers", "meshroll.v1.>", carryOut("other"), stop.signal),
    ];
    await one.publish("meshroll.v1.x", "a");
    await other.publish("meshroll.v1.x", "b");
    const want = ["one: meshroll.v1.x a", "other: meshroll.v1.x b"];
    await vi.waitFor(() => expect(told.toSorted()).toEqual(want), { timeout: 60_000 });
    stop.abort();
    await Promise.all(working);
  });
}
