import { describe, expect, it } from "vitest";

import type { Client } from "../calls/create-octokit.ts";
import { createOwnWords } from "./own-words.ts";

const call = async <T>(_doing: string, work: () => Promise<T>): Promise<T> => work();

/** A GitHub that answers `GET /user` so. */
function ask(answer: { readonly login: string } | 403): Client {
  const getAuthenticated = async () => {
    if (answer === 403) throw Object.assign(new Error("Resource not accessible by integration"), { status: 403 });
    return { data: answer };
  };
  return { rest: { users: { getAuthenticated } } } as unknown as Client;
}

const ours = { user: { login: "meshroll[bot]", type: "Bot" } };
const otherApp = { user: { login: "github-actions[bot]", type: "Bot" }, performed_via_github_app: { id: 15_368 } };
const person = { user: { login: "meshroll", type: "User" } };

describe("what another app writes with our marker is not ours", () => {
  const cases = [
    {
      name: "where GET /user tells who we are",
      user: { login: "Meshroll[bot]" },
      viewer: undefined,
      want: [true, false, false],
    },
    { name: "where only GraphQL does", user: 403, viewer: "meshroll[bot]", want: [true, false, false] },
    {
      name: "where nothing does: then only what this process wrote is",
      user: 403,
      viewer: undefined,
      want: [false, false, false],
    },
  ] as const;
  it.each(cases)("$name", async ({ user, viewer, want }) => {
    const words = createOwnWords({ octokit: ask(user), call }, async () => viewer);
    const isOurs = await words.read();
    expect([ours, otherApp, person].map((author) => isOurs("comment 7", author))).toEqual(want);
    words.note("comment 8");
    expect((await words.read())("comment 8", ours)).toBe(true);
    expect((await words.read())("issue 8", otherApp)).toBe(false);
  });

  it("is queried again when nothing was reported, for a token may be given the right later", async () => {
    const told = new Map<string, string>();
    const words = createOwnWords({ octokit: ask(403), call }, async () => told.get("viewer"));
    expect((await words.read())("comment 7", ours)).toBe(false);
    told.set("viewer", "meshroll[bot]");
    expect((await words.read())("comment 7", ours)).toBe(true);
  });
});
