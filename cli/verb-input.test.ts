import { runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { readWho } from "./terminal/caller.ts";
import { parseRunOrCampaign, parseScope } from "./options/parse-scope.ts";
import { parseUntil, type UntilOptions } from "./options/parse-until.ts";

const sha = "8abdbc074a6d0123456789abcdef0123456789ab";

describe("scopes", () => {
  const good: readonly { readonly text: string; readonly want: string }[] = [
    { text: "all", want: "all" },
    { text: "run/8abdbc074a6d", want: "run/8abdbc074a6d" },
    { text: `run/${sha}`, want: "run/8abdbc074a6d" },
    { text: "cluster/prod-a", want: "cluster/prod-a" },
    { text: "namespace/shop", want: "namespace/shop" },
    { text: "bucket/.*-staging", want: "bucket/.*-staging" },
    { text: "campaign/istio-1-25", want: "campaign/istio-1-25" },
    { text: "istio-1-25", want: "campaign/istio-1-25" },
  ];
  it.each(good)("7.1 $text is $want", ({ text, want }) => expect(parseScope(text)).toBe(want));

  const bad: readonly { readonly text: string; readonly want: RegExp }[] = [
    { text: "Prod_A", want: /Prod_A is not a scope/ },
    { text: "ns/shop", want: /ns\/shop is not a scope/ },
    { text: "run/8abd", want: /names no run/ },
    { text: "run/8ABDBC074A6D", want: /names no run/ },
    { text: "cluster/arn:aws:x", want: /not the name of a cluster, namespace or campaign/ },
    { text: "namespace/_", want: /not the name of a cluster, namespace or campaign/ },
    { text: "campaign/Istio", want: /not the name of a cluster, namespace or campaign/ },
  ];
  it.each(bad)("refuses $text", ({ text, want }) => expect(() => parseScope(text)).toThrow(want));

  it("takes a run with or without `run/`, or a campaign", () => {
    expect(parseRunOrCampaign("8abdbc074a6d")).toEqual({ run: "8abdbc074a6d" });
    expect(parseRunOrCampaign(`run/${sha}`)).toEqual({ run: "8abdbc074a6d" });
    expect(parseRunOrCampaign("istio-1-25")).toEqual({ campaign: "istio-1-25" });
    expect(() => parseRunOrCampaign("cluster/prod-a")).toThrow(/names no run and no campaign/);
  });
});

describe("when a stop is overdue", () => {
  const now = Date.parse("2026-11-19T11:43:00.000Z");
  const good: readonly { readonly options: UntilOptions; readonly want: string | undefined }[] = [
    { options: {}, want: undefined },
    { options: { for: "4h" }, want: "2026-11-19T15:43:00.000Z" },
    { options: { for: "1d12h" }, want: "2026-11-20T23:43:00.000Z" },
    { options: { until: "2026-11-19T16:30+01:00" }, want: "2026-11-19T15:30:00.000Z" },
    { options: { until: "2026-11-20T09:00Z" }, want: "2026-11-20T09:00:00.000Z" },
  ];
  it.each(good)("$options is $want", ({ options, want }) => expect(parseUntil(options, now)).toBe(want));

  it("takes a time of day as the next such time here", () => {
    for (const until of ["00:00", "9:05", "23:59"]) {
      const time = new Date(parseUntil({ until }, now) ?? 0);
      expect(`${time.getHours()}:${String(time.getMinutes()).padStart(2, "0")}`).toBe(until.replace("00:00", "0:00"));
      expect(time.getTime()).toBeGreaterThan(now);
      expect(time.getTime()).toBeLessThanOrEqual(now + 25 * 3_600_000);
    }
  });

  const bad: readonly { readonly options: UntilOptions; readonly want: RegExp }[] = [
    { options: { for: "4" }, want: /--for 4 is not a duration/ },
    { options: { for: "0s" }, want: /not a duration/ },
    { options: { until: "tomorrow" }, want: /--until tomorrow is not a time/ },
    { options: { until: "25:00" }, want: /is not a time/ },
    { options: { until: "2026-13-01" }, want: /is not a time/ },
    { options: { until: "2026-11-19T09:00Z" }, want: /is in the past/ },
    { options: { for: "4h", until: "16:30" }, want: /twice/ },
  ];
  it.each(bad)("refuses $options", ({ options, want }) => expect(() => parseUntil(options, now)).toThrow(want));
});

describe("who types", () => {
  const cases: readonly { readonly env: Readonly<Record<string, string>>; readonly want: string }[] = [
    { env: { USER: "ana" }, want: "ana" },
    { env: { LOGNAME: "ben" }, want: "ben" },
    { env: { USER: "ana\n\nActor: root" }, want: "ana Actor: root" },
    { env: { USER: "" }, want: "unknown" },
  ];
  it.each(cases)("7.5 $env is $want, a name on one line", ({ env, want }) => expect(readWho({ env })).toBe(want));
});

describe("the command line of change verbs", () => {
  const refused: readonly { readonly args: readonly string[]; readonly wantCode: number; readonly wantErr: RegExp }[] =
    [
      {
        args: ["pause", "all"],
        wantCode: 64,
        wantErr: /'--reason <text>' not specified\nusage: meshroll pause \[options\] --reason <text> \[scope\]\nrun/,
      },
      { args: ["pause", "--reason", "x"], wantCode: 64, wantErr: /say what to pause/ },
      { args: ["pause", "all", "--reason", " \n "], wantCode: 64, wantErr: /give a short reason/ },
      { args: ["pause", "all", "--reason", "x".repeat(501)], wantCode: 64, wantErr: /longer than 500/ },
      { args: ["pause", "every thing", "--reason", "x"], wantCode: 64, wantErr: /every thing is not a scope/ },
      {
        args: ["pause", "all", "--reason", "x", "--timeout", "soon"],
        wantCode: 64,
        wantErr: /say\s+it\s+with\s+its\s+unit/,
      },
      { args: ["pause", "all", "--reason", "x", "--for", "4"], wantCode: 64, wantErr: /not a duration/ },
      { args: ["hold", "all", "--reason", "x"], wantCode: 78, wantErr: /NATS is not configured/ },
      { args: ["resume", "--reason", "x"], wantCode: 64, wantErr: /say what to resume/ },
      { args: ["unhold", "all", "--id", "y", "--reason", "x"], wantCode: 64, wantErr: /say what to unhold/ },
      { args: ["pause", "all", "-n", "shop", "--reason", "x"], wantCode: 64, wantErr: /are 2 scopes/ },
      { args: ["resume", "--cluster", "a", "-n", "b", "--reason", "x"], wantCode: 64, wantErr: /are 2 scopes/ },
      { args: ["hold", "-n", "Shop", "--reason", "x"], wantCode: 64, wantErr: /not the name of a cluster, namespace/ },
      { args: ["retry", "cluster/a", "--reason", "x"], wantCode: 64, wantErr: /names no run and no campaign/ },
      { args: ["rollback", "#12", "--reason", "x"], wantCode: 78, wantErr: /only be looked up on GitHub/ },
      { args: ["rollback", "all", "--reason", "x"], wantCode: 64, wantErr: /names no run and no campaign/ },
      { args: ["rollback", "--stage", "s", "--reason", "x"], wantCode: 64, wantErr: /need a campaign/ },
      { args: ["rollback", "c", "--stage", "s", "--campaign", "--reason", "x"], wantCode: 64, wantErr: /different/ },
    ];
  it.each(refused)("answers $args with $wantCode", async ({ args, wantCode, wantErr }) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: wantCode, stdout: "" });
    expect(stderr).toMatch(wantErr);
  });
});

describe("options that all commands share", () => {
  const changing = "finish hold init ledger pause pin resume retry rollback start unhold unpin".split(" ");
  it.each(changing)("%s takes -y", async (name) => {
    expect((await runCli(["help", name])).stdout).toContain("-y, --yes");
  });

  const looking = "doctor explain finish get pause plan simulate start status".split(" ");
  it.each(looking)("%s names by --clusters how to reach them", async (name) => {
    expect((await runCli(["help", name])).stdout).toContain("--clusters <list>");
  });

  const reading = "assign explain finish history init mutate pin plan simulate start unpin validate".split(" ");
  it.each(reading)("%s, which reads the file, takes --repo", async (name) => {
    expect((await runCli(["help", name])).stdout).toMatch(/--repo <\w+>/u);
  });

  it("a duration has a unit, even as a default", async () => {
    for (const name of ["pause", "wait"])
      expect((await runCli(["help", name])).stdout).toMatch(/default:\s+(?:15s|3h)\)/u);
    expect((await runCli(["pause", "all", "--reason", "x", "--timeout", "15"])).code).toBe(64);
  });

  it("no help prints a default as JavaScript", async () => {
    const { stdout } = await runCli(["help"]);
    for (const [, name = ""] of stdout.matchAll(/^ {2}([a-z]+) {2,}/gmu)) {
      expect((await runCli(["help", name])).stdout).not.toMatch(/default:\s+(?:"|\d{5})/u);
    }
  });
});
