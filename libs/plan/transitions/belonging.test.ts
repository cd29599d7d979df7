import { makeLedger, makeSpec, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { expect, test } from "vitest";

import { findBelonging } from "./belonging.ts";
import type { BucketChange } from "../records/ledger-state.ts";

const stage = { ...makeStage("both", 50), set: { production: 50, ".*-stg": 50 } };
const after = withCampaign(makeSpec(sha("head"), 50), makeCampaign({ stages: [stage] }));
const change = (pattern: string, direction: BucketChange["direction"]): BucketChange => ({
  pattern,
  from: "a",
  to: "b",
  direction,
});
const cases: readonly (readonly [name: string, changes: readonly BucketChange[], want: string | undefined])[] = [
  [
    "one of the buckets that a stage sets is enough",
    [change("production", "forward"), change("pay", "forward")],
    "both",
  ],
  [
    "a commit that only rolls back belongs to the campaign of what it rolls back",
    [change("production", "rollback")],
    "both",
  ],
  [
    "one that goes on besides belongs to whom it goes on for",
    [change("production", "rollback"), change("pay", "forward")],
    undefined,
  ],
  ["one of no bucket of a campaign is a person's", [change("pay", "forward")], undefined],
];
test.each(cases)("1.5 %s", (_, changes, want) => {
  expect(findBelonging(makeLedger(), after, changes).stage).toBe(want);
});
