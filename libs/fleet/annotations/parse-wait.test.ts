import { expect, it } from "vitest";

import { parseWait } from "./parse-wait.ts";

const cases: readonly { readonly text: string; readonly want: number | undefined }[] = [
  { text: "12d", want: 12 * 86_400_000 },
  { text: "36h", want: 36 * 3_600_000 },
  { text: "90m", want: 90 * 60_000 },
  { text: "600s", want: 600_000 },
  { text: "1500ms", want: 1500 },
  { text: "1d2h3m4s5ms", want: 93_784_005 },
  { text: "366d", want: 366 * 86_400_000 },
  { text: "366d1ms", want: undefined },
  { text: "1234567890s", want: undefined },
  { text: "", want: undefined },
  { text: "5", want: undefined },
  { text: "1m1h", want: undefined },
  { text: " 5s", want: undefined },
  { text: "5s ", want: undefined },
  { text: "-5s", want: undefined },
];

it.each(cases)("a wait of `$text` is $want ms", ({ text, want }) => {
  expect(parseWait(text)).toBe(want);
});
