import type { Check } from "#libs/scm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startTestEnvironment, type TestEnvironment } from "../../../github/test-world.ts";
import { addressGithub } from "../scm/open-github.ts";
import { users } from "../users.ts";
import { approveAndMerge } from "./approve-and-merge.ts";

const branch = "meshroll/istio-1-25/prod-25";
const names = ["meshroll/plan", "meshroll/approvals"] as const;
const again = "npm run demo -- merge";

let environment: TestEnvironment;
beforeEach(async () => {
  environment = await startTestEnvironment({
    repo: "rollouts",
    users: Object.values(users),
    protection: { requiredChecks: names, requiredReviews: 0 },
    files: { "rollouts.yml": "one\n" },
  });
});
afterEach(async () => environment.close());

const meshroll = () => environment.as("meshroll", { repo: "rollouts", token: users.meshroll.token });

/** Opens a stage's pull request with these checks; returns its head. */
async function propose(states: Partial<Record<Check["name"], Check["state"]>>): Promise<string> {
  environment.remote.commitTo(branch, { files: { "rollouts.yml": "two\n" } });
  const { headSha } = await meshroll().openPullRequest({ branch, base: "main", title: "Stage", body: "" });
  await post(headSha, states);
  return headSha;
}

async function post(headSha: string, states: Partial<Record<Check["name"], Check["state"]>>): Promise<void> {
  for (const name of names) {
    const state = states[name];
    if (state !== undefined) await meshroll().postCheck({ name, headSha, state, title: `${name} says`, summary: "" });
  }
}

const green = { "meshroll/plan": "success", "meshroll/approvals": "success" } as const;

/** Much shorter than the default. */
const merge = async (forMs = 50) => approveAndMerge(addressGithub(environment.github.url), { forMs, everyMs: 10 });

/** The last line of a refusal, which says what to do. */
const advise = async () =>
  merge().then(
    () => "merged",
    (error: unknown) => String(error).split("\n").at(-1)?.trim(),
  );

describe("npm run demo -- merge", () => {
  it("approves and merges a pull request with green checks", async () => {
    const headSha = await propose(green);
    expect(await merge()).toEqual({ number: 1, sha: environment.remote.head("main"), reviewers: ["ben"] });
    expect(await meshroll().reviews(1)).toMatchObject([{ author: "ben", state: "approved", commit: headSha }]);
  });

  it("merges the stage's pull request also when people opened another one before it", async () => {
    environment.remote.commitTo("pins/nosuchns", { files: { "rollouts.yml": "pinned\n" } });
    await meshroll().openPullRequest({ branch: "pins/nosuchns", base: "main", title: "Pin", body: "" });
    await propose(green);
    expect(await merge()).toMatchObject({ number: 2 });
  });

  it("merges the newest head when meshroll pushes while ben waits for the checks", async () => {
    await propose({ "meshroll/plan": "pending" });
    const merging = merge(30_000);
    await expect.poll(async () => meshroll().reviews(1), { timeout: 60_000 }).toHaveLength(1);
    const later = environment.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
    await post(later, green);
    expect(await merging).toMatchObject({ number: 1 });
    expect((await meshroll().reviews(1)).at(-1)).toMatchObject({ commit: later });
  });

  it("with pending checks the refusal says that trying again helps, and it does", async () => {
    const headSha = await propose({ "meshroll/approvals": "pending" });
    await expect(merge()).rejects.toThrow(
      /did not merge #1.*approvals \(pending\).*plan \(pending\): not posted yet/su,
    );
    expect(await advise()).toBe(`the checks have not finished yet; try again:  ${again}`);
    await post(headSha, green);
    expect(await advise()).toBe("merged");
  });

  it("with a red check the refusal says that trying again does not help", async () => {
    await propose({ ...green, "meshroll/plan": "failure" });
    await expect(merge()).rejects.toThrow("meshroll/plan (failure): meshroll/plan says");
    expect(await advise()).toBe(
      `a red check stays red until the pull request or the fleet changes; only then:  ${again}`,
    );
  });

  it("for another refusal it says that the checks are green", async () => {
    await propose(green);
    environment.remote.commitToMain({ files: { "rollouts.yml": "another\n" } });
    expect(await advise()).toBe(`both checks are green: once what GitHub names has changed:  ${again}`);
  });

  it("fails when no pull request is open", async () => {
    await expect(merge()).rejects.toThrow("there is no open pull request to merge");
  });
});
