import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRollouts } from "./parse.ts";

const folder = new URL("../../test/fixtures/rollouts/", import.meta.url);
const broken = readdirSync(folder).filter((name) => name.startsWith("mr"));

describe("fixtures", () => {
  it("Airbnb's published file parses with 0 findings", () => {
    const parsed = parseRollouts(readFileSync(new URL("airbnb.yml", folder)), "rollouts.yml");

    expect(parsed.findings).toEqual([]);
    expect(parsed.ok && parsed.value.buckets.map(({ pattern, line, shares }) => [pattern, line, shares])).toEqual([
      ["production", 2, [{ revision: "1-24-5", weight: 100 }]],
      [
        ".*-staging",
        5,
        [
          { revision: "1-24-5", weight: 75 },
          { revision: "1-25-2", weight: 25 },
        ],
      ],
      ["istio-e2e", 10, [{ revision: "1-25-2", weight: 100 }]],
    ]);
  });

  it.each(broken)("%s gives exactly the findings in its name", (name) => {
    const bytes = readFileSync(new URL(name, folder));
    const want = /^# want: (.*)$/mu.exec(bytes.toString("latin1"))?.[1];

    const { findings } = parseRollouts(bytes, name);

    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`).join(" ")).toBe(want);
    expect(findings.every(({ help, length, file }) => help !== undefined && (length ?? 0) > 0 && file === name)).toBe(
      true,
    );
    expect(name.startsWith((findings[0]?.code ?? "").toLowerCase())).toBe(true);
  });
});
