import { createFakeChat } from "#fakes/chat";
import { type Chat, ChatRefused, ChatUnavailable } from "#libs/chat";
import { expect, it } from "vitest";

import { createChannels } from "./channels.ts";

function makeBench(findChannel: (name: string) => Promise<string | undefined>) {
  const opened = new Map<string, Chat>();
  const warned: string[] = [];
  let [now, lookups] = [0, 0];
  const channels = createChannels({
    workspace: {
      open(id) {
        const chat = createFakeChat();
        opened.set(id, chat);
        return chat;
      },
      findChannel: async (name) => {
        lookups += 1;
        return findChannel(name);
      },
    },
    own: "C0OWN",
    log: { warn: (...given: readonly unknown[]) => void warned.push(String(given[1])) },
    monotonic: () => now,
  });
  const nameOf = async (name: string | undefined): Promise<string | undefined> => {
    const chat = await channels.open(name);
    return [...opened].find(([, each]) => each === chat)?.[0];
  };
  return { channels, nameOf, warned, lookups: () => lookups, pass: (ms: number) => void (now += ms), opened };
}

it("no name is the notifier's own channel; an id is used unchanged; a name is looked up once", async () => {
  const { nameOf, lookups, opened } = makeBench(async (name) => (name === "#mesh" ? "C0MESH" : undefined));
  expect([await nameOf(undefined), await nameOf("C0123456"), await nameOf("#mesh"), await nameOf("#mesh")]).toEqual([
    "C0OWN",
    "C0123456",
    "C0MESH",
    "C0MESH",
  ]);
  expect([lookups(), opened.size]).toEqual([1, 3]);
});

it("a channel that is not visible is logged, and looked up again later, because the app may be invited", async () => {
  let isVisible = false;
  const { nameOf, lookups, warned, pass } = makeBench(async () => (isVisible ? "C0MESH" : undefined));
  expect([await nameOf("#mesh"), await nameOf("#mesh"), lookups(), warned.length]).toEqual(["C0OWN", "C0OWN", 1, 1]);
  isVisible = true;
  pass(11 * 60_000);
  expect(await nameOf("#mesh")).toBe("C0MESH");
});

it("an app that may not list channels uses its own; a Slack that is down throws", async () => {
  const refused = makeBench(async () => {
    throw new ChatRefused("missing_scope", "setup", "give the scope");
  });
  expect(await refused.nameOf("#mesh")).toBe("C0OWN");
  const away = makeBench(async () => {
    throw new ChatUnavailable("away");
  });
  await expect(away.nameOf("#mesh")).rejects.toThrow(ChatUnavailable);
});

it.each(["#mesh", "C0123456"])(
  "%s that takes no message is replaced by the own channel for ten minutes",
  async (name) => {
    const { channels, nameOf, warned, pass } = makeBench(async () => "C0MESH");
    const before = await nameOf(name);
    channels.leave(name);
    const meanwhile = await nameOf(name);
    pass(10 * 60_000);
    expect([meanwhile, (await nameOf(name)) === before, warned.length]).toEqual(["C0OWN", true, 1]);
  },
);
