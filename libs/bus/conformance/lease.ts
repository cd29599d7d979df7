import { expect, it } from "vitest";

import { type Bench, openFor } from "./bench.ts";
import { createLease, type Lease } from "../lease.ts";

/** A clock that only the test moves: nothing waits for real time. */
function createHandClock() {
  let now = 0;
  return { monotonic: () => now, advance: (ms: number) => void (now += ms) };
}

/** Processes that want one lease of a server, each with its own connection; all times are of a virtual clock. */
async function makeCrowd(make: () => Promise<Bench>) {
  const bench = await make();
  const clock = createHandClock();
  let count = 0;
  const join = async (place: string): Promise<Lease> => {
    const bucket = (await openFor(bench)).bucket("status");
    return createLease({ bucket, key: "leader", holder: { place, id: String((count += 1)) }, clock });
  };
  /** Lets this time pass, in which only the given processes take their turns. */
  const pass = async (ms: number, ...turning: readonly Lease[]): Promise<readonly boolean[]> => {
    let ours: readonly boolean[] = [];
    for (let passed = 0; passed < ms; passed += 1000) {
      clock.advance(1000);
      ours = await Promise.all(turning.map(async (each) => each.turn()));
    }
    return ours;
  };
  return { bench, clock, join, pass };
}

/** A lease is held by one process at a time, on any bus. */
export function describeLease(make: () => Promise<Bench>): void {
  it("a new lease is taken by one of all processes, and held while it is renewed", async () => {
    const { join, pass } = await makeCrowd(make);
    const all = [await join("a"), await join("b"), await join("c")];
    const first = await Promise.all(all.map(async (each) => each.turn()));
    expect(first.filter((isOurs) => isOurs)).toHaveLength(1);
    expect(await pass(30_000, ...all)).toEqual(first);
    expect(all.map((each) => each.isHeld())).toEqual(first);
  });

  it("a lease that is not renewed is taken over after ten seconds; its holder acts for at most seven", async () => {
    const { clock, join, pass } = await makeCrowd(make);
    const [one, other] = [await join("a"), await join("b")];
    await one.turn();
    expect([await other.turn(), one.isHeld()]).toEqual([false, true]);
    clock.advance(6_999);
    expect(one.isHeld()).toBe(true);
    clock.advance(1);
    expect([one.isHeld(), await other.turn()]).toEqual([false, false]);
    clock.advance(3_000);
    expect([await other.turn(), await one.turn()]).toEqual([true, false]);
    expect([one.isHeld(), other.isHeld()]).toEqual([false, true]);
    // The process that lost the lease waits like any other.
    expect(await pass(5_000, one, other)).toEqual([false, true]);
    expect(await pass(12_000, one)).toEqual([true]);
  });

  it("a lease that is given back is taken at once, and only its holder can give it back", async () => {
    const { join } = await makeCrowd(make);
    const [one, other] = [await join("a"), await join("b")];
    await one.turn();
    await other.giveBack();
    expect(await other.turn()).toBe(false);
    await one.giveBack();
    expect([one.isHeld(), await other.turn(), other.isHeld()]).toEqual([false, true, true]);
  });

  it("the next process of a place takes its predecessor's lease at once, and the predecessor does not take it back", async () => {
    const { join, pass } = await makeCrowd(make);
    const dead = await join("host /clone");
    await dead.turn();
    const [next, elsewhere] = [await join("host /clone"), await join("host /clone-2")];
    expect([await elsewhere.turn(), await next.turn(), await dead.turn()]).toEqual([false, true, false]);
    expect(await pass(30_000, dead, next)).toEqual([false, true]);
  });

  it("after a wipe the holder writes the lease again and keeps it", async () => {
    const { bench, join, pass } = await makeCrowd(make);
    const [one, other] = [await join("a"), await join("b")];
    await one.turn();
    await other.turn();
    await bench.wipe();
    expect([await other.turn(), await one.turn(), one.isHeld()]).toEqual([false, true, true]);
    await bench.wipe();
    expect(await pass(12_000, other)).toEqual([true]);
    expect(await one.turn()).toBe(false);
  });

  it("another program's value is respected as long as it changes", async () => {
    const { bench, join, pass } = await makeCrowd(make);
    const one = await join("a");
    await one.turn();
    const bucket = (await openFor(bench)).bucket("status");
    await bucket.put("leader", "");
    expect(await pass(5_000, one)).toEqual([false]);
    await bucket.put("leader", "someone else's");
    expect(await pass(10_000, one)).toEqual([false]);
    expect(await pass(1_000, one)).toEqual([true]);
  });
}
