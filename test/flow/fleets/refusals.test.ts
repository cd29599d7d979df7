import { expect, test } from "vitest";

import { countOn, file, openShop, refOf, running, settingsOf, written } from "../shop.ts";

const names = ["a", "b", "c", "d"];
const onError = settingsOf("batchSize: 1, failurePolicy: ContinueOnError");

test.each(["policy", "rbac", "validation", "webhook"] as const)(
  "4.6 one namespace that is refused by %s is that workload's failure, and all others move",
  async (by) => {
    const flow = await openShop({ names, settings: onError });
    const policy = flow.model("one").faults.refuseWrites("shop-b", by);
    flow.whenMerged(file(100));
    const [run] = await flow.untilRunsEnd(1);
    const status = await flow.status();

    console.log(by, policy.count(), JSON.stringify(run?.outcome), JSON.stringify(status?.failures), Object.keys((await flow.ledger())?.stops ?? {}), JSON.stringify(status?.clusters[0]?.problems));
    expect(countOn(flow, "new", names)).toBe(3);
    expect(running(flow, refOf("b"))).toEqual(["old"]);
    await flow.end();
  },
);
