import { describe, expect, it } from "vitest";

import { createOwnPosts } from "./own-posts.ts";

const ours = { user: { login: "meshroll[bot]", type: "Bot" } };
const otherApp = { user: { login: "github-actions[bot]", type: "Bot" }, performed_via_github_app: { id: 15_368 } };
const person = { user: { login: "meshroll", type: "User" } };

describe("what another app writes with our marker is not ours", () => {
  const cases = [
    { name: "where GitHub tells who we are", login: "Meshroll[bot]", want: [true, false, false] },
    {
      name: "where it does not: then only what this process wrote is",
      login: undefined,
      want: [false, false, false],
    },
  ] as const;
  it.each(cases)("$name", async ({ login, want }) => {
    const words = createOwnPosts(async () => login);
    const isOurs = await words.read();
    expect([ours, otherApp, person].map((author) => isOurs("comment 7", author))).toEqual(want);
    words.note("comment 8");
    expect((await words.read())("comment 8", ours)).toBe(true);
    expect((await words.read())("issue 8", otherApp)).toBe(false);
  });

  it("is queried again when nothing was reported, for a token may be given the right later", async () => {
    const told = new Map<string, string>();
    const words = createOwnPosts(async () => told.get("login"));
    expect((await words.read())("comment 7", ours)).toBe(false);
    told.set("login", "meshroll[bot]");
    expect((await words.read())("comment 7", ours)).toBe(true);
  });
});
