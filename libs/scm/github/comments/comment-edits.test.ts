import { describe, expect, it } from "vitest";

import { readEdits } from "./comment-edits.ts";
import type { Client } from "../calls/create-octokit.ts";

function ask(answer: unknown): Client {
  const graphql = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { graphql } as unknown as Client;
}

const at = "2026-11-19T12:00:00Z";
const named = (name: string, status?: number): Error =>
  Object.assign(new Error("no"), { name, ...(status === undefined ? {} : { status }) });

describe("what GraphQL tells of a comment", () => {
  const cases = [
    { name: "an edit", answer: { nodes: [{ id: "a", lastEditedAt: at, includesCreatedEdit: false }] }, want: "edited" },
    {
      name: "an edit by its history",
      answer: { nodes: [{ id: "a", lastEditedAt: null, includesCreatedEdit: true }] },
      want: "edited",
    },
    {
      name: "no edit",
      answer: { nodes: [{ id: "a", lastEditedAt: null, includesCreatedEdit: false }] },
      want: "untouched",
    },
    { name: "nothing of it", answer: { nodes: [null] }, want: "unknown" },
    { name: "something else", answer: { nodes: [{ id: "b", lastEditedAt: null }] }, want: "unknown" },
    { name: "a node without a form", answer: { nodes: [7] }, want: "unknown" },
    { name: "a refusal", answer: named("HttpError", 403), want: "unknown" },
    { name: "errors in place of data", answer: named("GraphqlResponseError"), want: "unknown" },
  ];
  it.each(cases)("$name: $want", async ({ answer, want }) => {
    expect((await readEdits({ octokit: ask(answer) }, ["a"], "asking")).get("a")).toBe(want);
  });

  it.each([named("HttpError", 502), new TypeError("fetch failed")])("is asked for again after %s", async (error) => {
    await expect(readEdits({ octokit: ask(error) }, ["a"], "asking")).rejects.toThrow(error);
  });
});
