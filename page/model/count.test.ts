import { expect, test } from "vitest";

import { printCount } from "./count.ts";

test.each([
  [0, "0 workloads"],
  [1, "1 workload"],
  [2, "2 workloads"],
  [12_000, "12,000 workloads"],
])("%i is %s", (count, want) => expect(printCount(count, "workload")).toBe(want));
