import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseDuration, printDuration } from "./duration.ts";

describe("parseDuration", () => {
  const cases: readonly { text: string; want: number | undefined }[] = [
    { text: "30s", want: 30_000 },
    { text: "5m", want: 300_000 },
    { text: "1h30m", want: 5_400_000 },
    { text: "1d", want: 86_400_000 },
    { text: "500ms", want: 500 },
    { text: "90m", want: 5_400_000 },
    { text: "0s", want: 0 },
    { text: "", want: undefined },
    { text: "30", want: undefined },
    { text: "30000", want: undefined },
    { text: "1.5h", want: undefined },
    { text: "-5m", want: undefined },
    { text: "30s5m", want: undefined },
    { text: "5 m", want: undefined },
    { text: "5M", want: undefined },
    { text: "PT5M", want: undefined },
    { text: "367d", want: undefined },
    { text: "99999999999s", want: undefined },
  ];
  it.each(cases)("reads `$text` as $want ms", ({ text, want }) => {
    expect(parseDuration(text)).toBe(want);
  });

  it("reads back what printDuration writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 366 * 86_400_000 }), (ms) => {
        expect(parseDuration(printDuration(ms))).toBe(ms);
      }),
    );
  });
});
