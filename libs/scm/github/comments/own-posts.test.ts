import { describe, expect, it } from "vitest";

import { createOwnPosts } from "./own-posts.ts";

const ours = { user: { login: "meshroll[bot]", type: "Bot" } };
const otherApp = { user: { login: "github-actions[bot]", type: "Bot" }, performed_via_github_app: { id: 15_368 } };
const person = { user: { login: "meshroll", type: "User" } };

describe("another app's text with our marker is not ours", () => {
  const cases = [
    { name: "where GitHub tells our login", login: "Meshroll[bot]", want: [true, false, false] },
    {
      name: "where it does not: only what this process wrote is ours",
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

  it("asks for the login again after an answer without one, because the token may get the right later", async () => {
    const told = new Map<string, string>();
    const words = createOwnPosts(async () => told.get("login"));
    expect((await words.read())("comment 7", ours)).toBe(false);
    told.set("login", "meshroll[bot]");
    expect((await words.read())("comment 7", ours)).toBe(true);
  });
});
