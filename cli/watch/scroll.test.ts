import { describe, expect, it } from "vitest";

import { parseKeys } from "./keys.ts";
import { cutLines, moveOffset } from "./scroll.ts";

describe("keys of a terminal", () => {
  const typed: readonly { readonly data: string; readonly want: readonly string[] }[] = [
    { data: "q", want: ["leave"] },
    { data: "\u0003", want: ["leave"] },
    { data: "jk", want: ["down", "up"] },
    { data: "\u001B[A\u001B[B", want: ["up", "down"] },
    { data: "\u001BOA", want: ["up"] },
    { data: "\u001B[5~\u001B[6~", want: ["pageUp", "pageDown"] },
    { data: "\u001B", want: ["back"] },
    { data: "f?n", want: ["failures", "keys", "namespaces"] },
    // No key changes anything in the fleet.
    { data: "prx\u001B[200~é", want: [] },
  ];
  it.each(typed)("$data", ({ data, want }) => expect(parseKeys(data)).toEqual(want));
});

describe("the part of a list that fits", () => {
  const list = Array.from({ length: 10 }, (_, n) => `line ${n}`);
  const parts: readonly { readonly rows: number; readonly offset: number; readonly want: readonly string[] }[] = [
    { rows: 10, offset: 5, want: list },
    { rows: 4, offset: 0, want: ["line 0", "line 1", "line 2", "… 7 more lines"] },
    { rows: 4, offset: 1, want: ["… 1 line above", "line 1", "line 2", "… 7 more lines"] },
    { rows: 4, offset: 99, want: ["… 7 lines above", "line 7", "line 8", "line 9"] },
    { rows: 1, offset: 3, want: ["… 10 more lines"] },
    { rows: 0, offset: 3, want: [] },
  ];
  it.each(parts)("$rows rows from line $offset", ({ rows, offset, want }) => {
    expect(cutLines(list, rows, offset).lines).toEqual(want);
  });

  it("every line can be reached, and the offset stops at the end", () => {
    const seen = new Set<string>();
    let offset = 0;
    for (let step = 0; step < 20; step += 1) {
      const part = cutLines(list, 4, offset);
      for (const line of part.lines) seen.add(line);
      expect(part.lines.length).toBeLessThanOrEqual(4);
      offset = moveOffset(part.offset, "down");
    }
    for (const line of list) expect(seen).toContain(line);
    const end = cutLines(list, 4, offset).offset;
    expect(cutLines(list, 4, moveOffset(end, "up")).offset).toBe(end - 1);
    expect(moveOffset(end, "top")).toBe(0);
    expect(cutLines(list, 4, moveOffset(0, "bottom")).offset).toBe(end);
  });
});
