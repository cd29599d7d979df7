import { expect, it } from "vitest";

import { type Bench, openFor } from "./bench.ts";
import { createLease, type Lease } from "../lease.ts";

/** Goes on when it is told to: nothing here waits for real time. */
function createHandClock() {
  let now = 0;
  return { monotonic: () => now, advance: (ms: number) => void (now += ms) };
}

/** Processes that want one lease of a server, each by its own connection; all times are a virtual clock's. */
async function makeCrowd(make: () => Promise<Bench>) {
  const bench = await make();
  const clock = createHandClock();
  let count = 0;
  const join = async (place: string): Promise<Lease> => {
    const bucket = (await openFor(bench)).bucket("status");
    return createLease({ bucket, key: "leader", holder: { place, id: String((count += 1)) }, clock });
  };
  /** So long nothing is heard of the others; the turns of these pass. */
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
  it("a lease that stands nowhere is taken by one of all who want it, and kept while it is renewed", async () => {
    const { join, pass } = await makeCrowd(make);
    const all = [await join("a"), await join("b"), await join("c")];
    const first = await Promise.all(all.map(async (each) => each.turn()));
    expect(first.filter((isOurs) => isOurs)).toHaveLength(1);
    expect(await pass(30_000, ...all)).toEqual(first);
    expect(all.map((each) => each.isHeld())).toEqual(first);
  });

  it("one that is not renewed is taken over after ten seconds; its holder acts seven of them at the most", async () => {
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
    // The one that lost it waits as any other does.
    expect(await pass(5_000, one, other)).toEqual([false, true]);
    expect(await pass(12_000, one)).toEqual([true]);
  });

  it("one that is given back is taken at once, and given back by its holder alone", async () => {
    const { join } = await makeCrowd(make);
    const [one, other] = [await join("a"), await join("b")];
    await one.turn();
    await other.giveBack();
    expect(await other.turn()).toBe(false);
    await one.giveBack();
    expect([one.isHeld(), await other.turn(), other.isHeld()]).toEqual([false, true, true]);
  });

  it("the next process of a place has that of its predecessor at once, which does not take it back", async () => {
    const { join, pass } = await makeCrowd(make);
    const dead = await join("host /clone");
    await dead.turn();
    const [next, elsewhere] = [await join("host /clone"), await join("host /clone-2")];
    expect([await elsewhere.turn(), await next.turn(), await dead.turn()]).toEqual([false, true, false]);
    expect(await pass(30_000, dead, next)).toEqual([false, true]);
  });

  it("a bus that forgot it leaves it with its holder, which writes it again", async () => {
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

  it("what any other program wrote there is respected as long as it changes", async () => {
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
