import { type Chat, ChatRefused, ChatUnavailable, openSlack } from "#libs/chat";
import { describe, expect, it, onTestFinished } from "vitest";

import { type Slack, type SlackFaultEffect, type SlackOptions, startSlack } from "./index.ts";

const channel = "C0MESHROLL";
const token = "xoxb-token-of-the-bot";

async function start(options: Partial<SlackOptions> = {}): Promise<{ readonly slack: Slack; readonly chat: Chat }> {
  const rate = { burst: 100, perSecond: 100 };
  const slack = await startSlack({ tokens: [{ token }], channels: [channel], rate, ...options });
  onTestFinished(async () => slack.close());
  return { slack, chat: openSlack({ token, apiUrl: slack.url, spacingMs: 0, timeoutMs: 20_000 }).open(channel) };
}

const section = (text: string) => ({ kind: "section", text }) as const;
const draft = (text: string) => ({ text: "a sentence", blocks: [section(text)], marker: { key: "run/a" } });

describe("the sandbox refuses what Slack refuses", () => {
  const cases = [
    { name: "a section of 3,000 characters", blocks: [section("x".repeat(3000))], want: "taken" },
    { name: "a section of 3,001 characters", blocks: [section("x".repeat(3001))], want: "invalid_blocks" },
    { name: "an empty section", blocks: [section("")], want: "invalid_blocks" },
    { name: "50 blocks", blocks: Array.from({ length: 50 }, () => section("x")), want: "taken" },
    { name: "51 blocks", blocks: Array.from({ length: 51 }, () => section("x")), want: "invalid_blocks" },
    {
      name: "a header of 151 characters",
      blocks: [{ kind: "header" as const, text: "x".repeat(151) }],
      want: "invalid_blocks",
    },
    {
      name: "11 fields",
      blocks: [{ kind: "fields" as const, fields: Array.from({ length: 11 }, () => "x") }],
      want: "invalid_blocks",
    },
  ];
  it.each(cases)("$name: $want", async ({ blocks, want }) => {
    const { slack, chat } = await start();
    const outcome = await chat.post({ ...draft(""), blocks }).then(
      () => "taken",
      (error: unknown) => (error instanceof ChatRefused && error.concerns === "message" ? "refused" : String(error)),
    );
    expect(outcome).toBe(want === "taken" ? "taken" : "refused");
    expect(slack.calls.at(-1)?.error ?? "taken").toBe(want);
  });

  it("a note that is too long for the metadata", async () => {
    const { chat } = await start();
    const marker = { key: "run/a", note: "x".repeat(8_001) };
    await expect(chat.post({ ...draft("x"), marker })).rejects.toThrow("metadata_too_large");
  });

  it("an unknown method and a message without a word", async () => {
    const { slack } = await start();
    const call = async (method: string) =>
      (
        await fetch(`${slack.url}${method}`, {
          method: "POST",
          body: `channel=${channel}`,
          headers: { authorization: `Bearer ${token}` },
        })
      ).json();
    expect(await call("chat.delete")).toMatchObject({ ok: false, error: "unknown_method" });
    expect(await call("chat.postMessage")).toMatchObject({ ok: false, error: "no_text" });
    expect(await call("auth.test")).toMatchObject({ ok: true, user: "meshroll" });
  });
});

describe("who is not set up is told what fixes it", () => {
  const cases = [
    { name: "a wrong token", tokens: [{ token: "xoxb-other" }], want: /invalid_auth.*MESHROLL_SLACK_TOKEN/ },
    {
      name: "a missing scope",
      tokens: [{ token, scopes: ["channels:history"] }],
      want: /missing_scope.*scope chat:write/,
    },
    { name: "another channel", channels: ["C0OTHER"], want: /channel_not_found.*invite the app/ },
  ];
  it.each(cases)("$name", async ({ want, name: _name, ...options }) => {
    const { chat } = await start(options);
    const refused: unknown = await chat.post(draft("x")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ChatRefused);
    expect(refused).toMatchObject({ concerns: "setup", message: expect.stringMatching(want) as string });
    expect(String(refused)).not.toContain(token);
  });
});

describe("what passes by itself is for later", () => {
  const cases: readonly { readonly name: string; readonly effect: SlackFaultEffect }[] = [
    { name: "a page of a broken server", effect: { kind: "status", status: 503 } },
    { name: "a page of a proxy that calls itself fine", effect: { kind: "status", status: 200 } },
    { name: "an internal error", effect: { kind: "error", error: "internal_error" } },
    { name: "a connection that is cut", effect: { kind: "reset" } },
    { name: "no answer at all", effect: { kind: "hang" } },
  ];
  it.each(cases)("$name: once, without a second try", async ({ effect }) => {
    const { slack, chat } = await start();
    slack.addFault({ effect });
    // A call may end by its limit alone, which the next one must not on a busy machine.
    const hasty = openSlack({ token, apiUrl: slack.url, spacingMs: 0, timeoutMs: 300 }).open(channel);
    const impatient = effect.kind === "hang" ? hasty : chat;
    await expect(impatient.post(draft("x"))).rejects.toThrow(ChatUnavailable);
    await expect.poll(() => slack.calls.length).toBe(1);
    await chat.post(draft("x"));
    expect(slack.messages(channel)).toHaveLength(1);
  });

  it("during the time that Slack asked for nothing is sent", async () => {
    const { slack, chat } = await start();
    slack.addFault({ effect: { kind: "rateLimited", retryAfterSeconds: 30 } });
    await expect(chat.post(draft("x"))).rejects.toThrow("waits 30 s");
    await expect(chat.findRoots(1000)).rejects.toThrow("rate limit");
    expect(slack.calls).toHaveLength(1);
  });

  it("more posts than a channel takes are told to wait", async () => {
    const { chat } = await start({ rate: { burst: 2, perSecond: 1 } });
    await chat.post(draft("1"));
    await chat.post(draft("2"));
    await expect(chat.post(draft("3"))).rejects.toMatchObject({ retryAfterMs: 1000 });
  });
});

it("who would be called by a message is seen", async () => {
  const { slack, chat } = await start();
  await chat.post(draft("<!here> <@U1> <!date^1795181160^{time}|then> &lt;!channel&gt;"));
  expect(slack.messages(channel)[0]?.pings).toEqual(["<!here>", "<@U1>"]);
});

it("posts are spaced, so that a channel is not flooded", async () => {
  const { slack } = await start();
  const chat = openSlack({ token, apiUrl: slack.url, spacingMs: 60 }).open(channel);
  const before = performance.now();
  for (const text of ["1", "2", "3"]) await chat.post(draft(text));
  expect(performance.now() - before).toBeGreaterThanOrEqual(110);
});

describe("a channel by its name", () => {
  it("is found among those that the app sees, and not once it is archived", async () => {
    const { slack } = await start({ names: { [channel]: "mesh-rollouts" } });
    const workspace = openSlack({ token, apiUrl: slack.url, spacingMs: 0, timeoutMs: 60_000 });
    expect(await workspace.findChannel("#mesh-rollouts")).toBe(channel);
    expect(await workspace.findChannel("#mesh")).toBe(undefined);
    slack.archive(channel);
    expect(await workspace.findChannel("#mesh-rollouts")).toBe(undefined);
  });

  it("needs a scope, which the refusal names", async () => {
    const { slack } = await start({ tokens: [{ token, scopes: ["chat:write"] }] });
    const workspace = openSlack({ token, apiUrl: slack.url, spacingMs: 0, timeoutMs: 60_000 });
    await expect(workspace.findChannel("#mesh")).rejects.toThrow("channels:read");
    await expect(workspace.findChannel("#mesh")).rejects.toThrow(ChatRefused);
  });
});
