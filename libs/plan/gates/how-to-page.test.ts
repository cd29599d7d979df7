import { readFileSync } from "node:fs";

import { parseSettings } from "#libs/campaign";
import { describe, expect, it } from "vitest";

import { fillQuery } from "./sources/fill-query.ts";

const page = readFileSync(new URL("../../../docs/how-to/gate-on-metrics.md", import.meta.url), "utf8");
const example = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? "";

describe("docs/how-to/gate-on-metrics.md", () => {
  const parsed = parseSettings(`defaults:\n${example.replaceAll(/^(?=.)/gm, "  ")}`, "meshroll.yml");
  const gates = parsed.ok ? parsed.value.gates : [];

  it("shows a gate that the parser accepts", () => {
    expect(parsed.findings).toEqual([]);
    const limits = { max: 0.02, maxRatioToBaseline: 1.25, interval: 300_000, failureLimit: 2 };
    expect(gates).toContainEqual(
      expect.objectContaining({ name: "error-rate", when: "during", onFail: "rollback", onNoData: "hold", ...limits }),
    );
  });

  it("names every placeholder of a query", () => {
    const places = Array.from(page.matchAll(/^\| `(\$\{\w+\})`/gm), (match) => match[1] ?? "");
    const parts = { namespaces: ["a"], revisions: ["b"], window: 1000 };
    expect(places.map((place) => fillQuery(place, parts))).toEqual(["a", "b", "1s"]);
  });

  it("shows every built-in kind, as the parser accepts it", () => {
    const kinds = Array.from(page.matchAll(/^\| `((?:restart|revision|proxy)\w+: \{[^`]*\})`/gm), (match) => match[1]);
    expect(kinds).toHaveLength(3);
    for (const kind of kinds) {
      const text = `defaults:\n  gates:\n    - { name: mine, ${kind} }\n`;
      expect(parseSettings(text, "meshroll.yml").findings).toEqual([]);
    }
  });
});
