import { expect, it } from "vitest";

import { judgeFreshness, type Signs } from "./freshness.ts";

const good: Signs = { silentMs: 400, statusAgeSeconds: 3, isBusUp: true, hasStatus: true };

const cases: readonly { readonly name: string; readonly signs: Partial<Signs>; readonly want: string }[] = [
  { name: "all is well", signs: {}, want: "live" },
  { name: "the api was never heard", signs: { silentMs: undefined }, want: "connecting" },
  { name: "two signs of life are missing", signs: { silentMs: 1600 }, want: "behind" },
  { name: "the api is away", signs: { silentMs: 11_000 }, want: "cutOff" },
  { name: "NATS is away", signs: { isBusUp: false }, want: "busAway" },
  { name: "no planner wrote anything yet", signs: { hasStatus: false }, want: "unknown" },
  { name: "the planner is silent", signs: { statusAgeSeconds: 31 }, want: "stale" },
  { name: "the api is away, which says nothing of NATS", signs: { silentMs: 11_000, isBusUp: false }, want: "cutOff" },
];

it.each(cases)("$name: $want", ({ signs, want }) => expect(judgeFreshness({ ...good, ...signs }).kind).toBe(want));
