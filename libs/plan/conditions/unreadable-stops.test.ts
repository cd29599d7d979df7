import { decide, printRecordedStop } from "#libs/plan";
import { makeCluster, makeLedger, makeStop, makeWorkload, makeSnapshot } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { findPlaced } from "#test/world/transition";
import { describe, expect, test } from "vitest";

import { nameEntryStop } from "../stops/recorded/cluster-entries.ts";

describe("entries of a cluster's ConfigMap", () => {
  const entry = {
    id: "p9",
    scope: "all",
    strength: "move",
    at: "2026-11-19T11:00:00Z",
    who: "ben",
    why: "bus down",
  } as const;
  const withEntries = (recorded: Record<string, string>) =>
    makeCluster("one", [makeWorkload("shop/a")], { facts: { stops: { kubectl: false, recorded } } });
  const record = (recorded: Record<string, string>, ledger = makeLedger()) => {
    const [decision] = decide(makeSnapshot({ ledger, clusters: new Map([["one", withEntries(recorded)]]) }));
    return decision?.kind === "placeStop" ? findPlaced(decision) : undefined;
  };

  test("7.3 one that the ledger never had is recorded unchanged, for that cluster only", () => {
    const id = nameEntryStop("one", "p9");
    expect(record({ p9: printRecordedStop(entry) })).toEqual({ ...entry, id, cause: "cluster", foundIn: "one" });
  });

  test("7.3 one about another cluster, or a hold, is not recorded", () => {
    expect(record({ p9: printRecordedStop({ ...entry, scope: "cluster/two" }) })).toBe(undefined);
    expect(record({ p9: printRecordedStop({ ...entry, strength: "propose" }) })).toBe(undefined);
  });

  test("7.3 an unreadable one stops its cluster, and is recorded as such a stop", () => {
    expect(record({ p9: "?" })).toMatchObject({
      foundIn: "one",
      scope: "cluster/one",
      strength: "move",
      cause: "cluster",
    });
  });

  test("7.3 one that the ledger has, ended or not, is not recorded again", () => {
    const stop = makeStop({ id: "p9", scope: "all" });
    const resumed = { ...stop, resume: { at: "", who: "", why: "" } };
    for (const known of [stop, resumed]) {
      expect(record({ p9: printRecordedStop(entry) }, openRunLedger({ stops: { p9: known } }))).toBe(undefined);
    }
    const requests = { p9: { at: "2026-11-19T11:00:00.000Z", answer: "nothing to resume" } };
    expect(record({ p9: printRecordedStop(entry) }, openRunLedger({ requests }))).toBe(undefined);
  });
});
