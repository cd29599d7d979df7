import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createVirtualClock } from "#fakes/runtime";
import { ConfigProblems, createLogger, readConfig } from "#libs/runtime";
import { describe, expect, it } from "vitest";

import { agentConfig } from "./config.ts";
import { openApi } from "./open-api.ts";
import { makePlaces } from "./slots/places.ts";
import { makeTestFolder, openQuickDisk } from "./test-vm.ts";

const store = { MESHROLL_AGENT_STORE: "/store" };
const api = { MESHROLL_AGENT_API: "https://meshroll.example.com" };
/** Nothing listens there. */
const away = { MESHROLL_AGENT_EC2_METADATA: "http://127.0.0.1:1" };

function open(env: Readonly<Record<string, string>>) {
  const root = makeTestFolder();
  mkdirSync(join(root, "etc/meshroll-agent"), { recursive: true });
  writeFileSync(join(root, "etc/meshroll-agent/tag"), "from-the-file\n");
  writeFileSync(join(root, "named"), "from-the-named-file\n");
  const files = env["MESHROLL_AGENT_TAG_FILE"] === undefined ? {} : { MESHROLL_AGENT_TAG_FILE: join(root, "named") };
  const clock = createVirtualClock();
  const outside = { disk: openQuickDisk(), places: makePlaces(root), clock, random: () => 0.5 };
  const config = readConfig(agentConfig, { ...store, ...env, ...files });
  return openApi(config, { ...outside, log: createLogger("agent", [], "silent") }, new AbortController().signal);
}

const notHeard = { kind: "unknown", why: "the api has not answered yet" };
const fromFile = { kind: "revision", revision: "from-the-file" };
const fromNamed = { kind: "revision", revision: "from-the-named-file" };

describe("where the tag comes from, and whether it is reported", () => {
  const cases = [
    { name: "without an api", env: {}, want: fromFile, wantReports: false },
    { name: "with an api", env: api, want: notHeard, wantReports: true },
    {
      name: "with an api, from the file",
      env: { ...api, MESHROLL_AGENT_TAG: "file" },
      want: fromFile,
      wantReports: true,
    },
    {
      name: "with an api and a named file",
      env: { ...api, MESHROLL_AGENT_TAG_FILE: "/x" },
      want: fromNamed,
      wantReports: true,
    },
    {
      name: "at EC2",
      env: { ...api, ...away, MESHROLL_AGENT_TAG: "ec2" },
      want: { kind: "unknown", why: expect.stringContaining("EC2's metadata service") as string },
      wantReports: true,
    },
  ];
  it.each(cases)("$name: reported $wantReports", async ({ env, want, wantReports }) => {
    const { tag, link } = open(env);
    expect(await tag.read()).toEqual(want);
    expect(link !== undefined).toBe(wantReports);
  });
});

describe("settings that contradict each other, or would show a credential, are refused", () => {
  const cases = [
    { name: "tags of an api that is not named", env: { MESHROLL_AGENT_TAG: "api" }, wantNamed: "MESHROLL_AGENT_API" },
    {
      name: "a tag file that is not read",
      env: { MESHROLL_AGENT_TAG: "ec2", MESHROLL_AGENT_TAG_FILE: "/x" },
      wantNamed: "MESHROLL_AGENT_TAG_FILE",
    },
    { name: "plain http", env: { MESHROLL_AGENT_API: "http://10.0.0.1" }, wantNamed: "MESHROLL_AGENT_API" },
    { name: "a name in capitals", env: { MESHROLL_AGENT_NAME: "VM 1" }, wantNamed: "MESHROLL_AGENT_NAME" },
    { name: "an address that is a name", env: { MESHROLL_AGENT_ADDRESS: "vm-1" }, wantNamed: "MESHROLL_AGENT_ADDRESS" },
  ];
  it.each(cases)("$name", ({ env, wantNamed }) => {
    expect(() => readConfig(agentConfig, { ...store, ...env })).toThrow(ConfigProblems);
    expect(() => readConfig(agentConfig, { ...store, ...env })).toThrow(`${wantNamed}: `);
  });
});
