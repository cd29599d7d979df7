import type { ClosedCause, Window } from "#libs/campaign";
import { expect, it } from "vitest";

import { explainClosed } from "./calendar.ts";

const hour = 3_600_000;

function makeWindow(change: Partial<Window> = {}): Window {
  const usual = { kind: "allow", schedule: "0 9 * * 1-4", duration: 8 * hour, timeZone: "UTC", atEnd: "stop" } as const;
  return { ...usual, ...change };
}

it.each<{ readonly cause: ClosedCause; readonly want: string }>([
  { cause: { kind: "freeze", freeze: { from: 0, to: 1, reason: "peak" } }, want: "freeze: peak" },
  {
    cause: { kind: "insideDenied", window: makeWindow({ kind: "deny", schedule: "0 * * * *", duration: hour }) },
    want: 'inside the denying window "0 * * * *" for 1h, UTC',
  },
  {
    cause: { kind: "outsideAllowed", windows: [makeWindow(), makeWindow({ timeZone: "Asia/Kolkata" })] },
    want: 'outside the window "0 9 * * 1-4" for 8h, UTC, and outside "0 9 * * 1-4" for 8h, Asia/Kolkata',
  },
])("a closed calendar says $want", ({ cause, want }) => expect(explainClosed(cause)).toBe(want));
