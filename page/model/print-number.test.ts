import { expect, it } from "vitest";

import { printNumber } from "./print-number.ts";

it.each([
  [0, "0"],
  [0.012345, "0.01235"],
  [1234.5, "1,235"],
  [12, "12"],
])("%d is shown as %s", (value, want) => expect(printNumber(value)).toBe(want));
