import { describe, expect, it } from "vitest";

import { parseCampaign } from "../parse-campaign.ts";
import { builtInSettings } from "./settings.ts";

const head =
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata:\n  name: up\nspec:\n  target: new\n  replaces: [old]\n";

function isRight(spec: string): boolean {
  const stages = spec.includes("stages:") ? "" : "  stages: [{ name: all, set: { production: 100 } }]\n";
  return parseCampaign(`${head}  ${spec}\n${stages}`, "campaigns/up.yml", builtInSettings).ok;
}

const gate = (fields: string): string => `defaults: { gates: [{ name: a, ${fields} }] }`;
const window = (schedule: string, duration: string): string =>
  `windows: [{ schedule: "${schedule}", duration: ${duration}, timeZone: UTC }]`;
const until = (time: string): string => `exclude: [{ pattern: a, reason: audit, until: "${time}" }]`;
const stage = (share: string): string => `stages: [{ name: a, set: { production: ${share} }, description: why }]`;
const name = (text: string): string => `stages: [{ name: ${text}, set: { production: 100 } }]`;

interface Bound {
  readonly what: string;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

/** For each limit, the last accepted and the first refused value. */
const bounds: readonly Bound[] = [
  {
    what: "a share",
    taken: [stage("1"), stage("100")],
    refused: [stage("0"), stage("101"), stage("5.5"), stage('"5"')],
  },
  {
    what: "a stage's name",
    taken: [name("a"), name("a".repeat(40)), name("a-1")],
    refused: [name("a".repeat(41)), name("-a"), name("a-"), name("A"), name("a.b"), name('""')],
  },
  {
    what: "a ratio",
    taken: [gate("revisionMatch: { minRatio: 0 }"), gate("revisionMatch: { minRatio: 1.0 }")],
    refused: [gate("revisionMatch: { minRatio: 1.01 }"), gate("revisionMatch: { minRatio: -0.1 }")],
  },
  {
    what: "a query's limit",
    taken: ["max: -1.5", "min: 0", "max: 1000000", "min: 1, max: 2"].map((limit) =>
      gate(`prometheus: { query: up, ${limit} }`),
    ),
    refused: ["max: 1e3", "max: .5", 'max: "1"', "max: 01"].map((limit) => gate(`prometheus: { query: up, ${limit} }`)),
  },
  {
    what: "how often is measured",
    taken: [gate("prometheus: { query: up, max: 1, interval: 5s, failureLimit: 1 }")],
    refused: [
      gate("prometheus: { query: up, max: 1, interval: 4s }"),
      gate("prometheus: { query: up, max: 1, failureLimit: 0 }"),
      gate("prometheus: { query: up, max: 1, failureLimit: 1001 }"),
    ],
  },
  {
    what: "a baseline",
    taken: ["namespaces", "revision"].map((place) =>
      gate(`prometheus: { query: "up{a='\${${place}}'}", maxRatioToBaseline: 2 }`),
    ),
    refused: ["window", "", "namespaces"].map((place) =>
      gate(`prometheus: { query: "up{a='\${${place}'}", maxRatioToBaseline: 2 }`),
    ),
  },
  {
    what: "a window's length",
    taken: [window("0 9 * * *", "1m"), window("0 9 * * *", "23h"), window("0 9 1 * *", "27d")],
    refused: [window("0 9 * * *", "59s"), window("0 9 1 * *", "32d")],
  },
  {
    what: "a schedule",
    taken: ["59 23 31 12 7", "5 */6 1,15 JAN-MAR MON-FRI", "0 0 1-7/2 * 0"].map((text) => window(text, "1h")),
    refused: [
      "60 0 * * *",
      "0 0 29 2 *",
      "0 24 * * *",
      "0 0 32 * *",
      "0 0 * 13 *",
      "0 0 0 * *",
      "0,30 9 * * *",
      "0  9 * * *",
    ].map((text) => window(text, "1h")),
  },
  {
    what: "a time",
    taken: [
      "2000-01-01",
      "2199-12-31",
      "2028-02-29",
      "2026-01-31T23:59:59Z",
      "2026-01-31T00:00+14:00",
      "2026-01-31T00:00-14:59",
    ].map(until),
    refused: [
      "1999-12-31",
      "2200-01-01",
      "2026-02-29",
      "2026-00-10",
      "2026-13-10",
      "2026-01-00",
      "2026-04-31",
      "2026-12-32",
      "2026-01-31T24:00Z",
      "2026-01-31T00:60Z",
      "2026-01-31T00:00:60Z",
      "2026-01-31T00:00+15:00",
      "2026-01-31T00:00+01:60",
      "2026-01-31T00:00",
      "2026-01-31 00:00Z",
      "tomorrow",
    ].map(until),
  },
  {
    what: "a freeze",
    taken: ["freezes: [{ from: 2026-01-01T00:00Z, to: 2026-01-01T00:01Z, reason: x }]"],
    refused: [
      "freezes: [{ from: 2026-01-01T00:00Z, to: 2026-01-01T00:00Z, reason: x }]",
      "freezes: [{ from: 2026-01-01, to: 2026-01-02, reason: x }]",
      'freezes: [{ from: 2026-01-01T00:00Z, to: 2026-01-02T00:00Z, reason: " " }]',
    ],
  },
  {
    what: "who approves",
    taken: [
      'defaults: { approvals: { required: 2, from: ["user:ana", "user:ben"] } }',
      'defaults: { approvals: { required: 2, from: ["user:ana", "team:mesh"] } }',
      'defaults: { approvals: { from: ["user:ana"] } }',
      "defaults: { approvals: 0 }",
      "defaults: { approvals: 10 }",
    ],
    refused: [
      'defaults: { approvals: { required: 3, from: ["user:ana", "user:ben"] } }',
      'defaults: { approvals: { from: ["user:ana", "user:ana"] } }',
      "defaults: { approvals: { from: [] } }",
      'defaults: { approvals: { from: ["team:Mesh"] } }',
      'defaults: { approvals: { from: ["user:-ana"] } }',
      'defaults: { approvals: { from: ["group:mesh"] } }',
      "defaults: { approvals: 11 }",
    ],
  },
  {
    what: "a version",
    taken: ['maxVersion: "1.25"', "maxVersion: v1.25"],
    refused: ["maxVersion: 1.25", "maxVersion: 1.25.999", 'maxVersion: "1"', 'maxVersion: "1.25.x"', 'maxVersion: ""'],
  },
  {
    what: "waves",
    taken: ["clusters: { order: [[a], [b]], concurrency: 1, delayBetweenWaves: 0s }"],
    refused: [
      "clusters: { order: [] }",
      "clusters: { order: [[]] }",
      "clusters: { order: [a] }",
      "clusters: { concurrency: 0 }",
    ],
  },
];

describe("the limits of a campaign's fields", () => {
  it.each(bounds)("$what", ({ taken, refused }) => {
    expect(taken.filter((spec) => !isRight(spec))).toEqual([]);
    expect(refused.filter((spec) => isRight(spec))).toEqual([]);
  });
});
