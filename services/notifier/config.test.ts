import { testInstallation } from "#libs/input";
import { ConfigProblems, readConfig } from "#libs/runtime";
import { describe, expect, it } from "vitest";

import { notifierConfig } from "./config.ts";

const bus = { MESHROLL_INSTALLATION: testInstallation, MESHROLL_NATS_URL: "nats://127.0.0.1:4222" };
const slack = { MESHROLL_SLACK_TOKEN: "xoxb-secret-of-the-bot", MESHROLL_SLACK_CHANNEL: "C0123456789" };
const github = { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts", MESHROLL_GITHUB_TOKEN: "token-of-the-app" };

function readProblems(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(notifierConfig, env);
    return "";
  } catch (error) {
    return error instanceof ConfigProblems ? error.message : String(error);
  }
}

describe("the notifier's environment", () => {
  it.each([
    { name: "Slack alone", env: { ...bus, ...slack } },
    { name: "GitHub alone", env: { ...bus, ...github } },
  ])("$name is enough", ({ env }) => expect(readProblems(env)).toBe(""));

  it.each([
    { name: "no sink", env: bus, want: /MESHROLL_SLACK_TOKEN.*at least one of both/ },
    {
      name: "a token without a channel",
      env: { ...bus, MESHROLL_SLACK_TOKEN: "xoxb-x" },
      want: /MESHROLL_SLACK_CHANNEL/,
    },
    {
      name: "a channel without a token",
      env: { ...bus, MESHROLL_SLACK_CHANNEL: "C0123456789" },
      want: /MESHROLL_SLACK_TOKEN/,
    },
    { name: "no bus", env: slack, want: /MESHROLL_NATS_URL/ },
  ])("$name is reported", ({ env, want }) => {
    const problems = readProblems(env);
    expect(problems).toMatch(want);
    expect(problems).not.toContain("xoxb-secret");
  });
});
