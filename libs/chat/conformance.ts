import { describe, expect, it } from "vitest";

import { ChatRefused, ChatUnavailable } from "./errors.ts";
import type { Block, Chat, Draft } from "./port.ts";

/** A channel of which a test controls every fault. */
export interface ChatBench {
  readonly chat: Chat;
  /** A second process with the same channel. */
  readonly other: () => Chat;
  /** Texts of the channel's messages as a member sees them, in the order of posting. */
  readonly readTexts: () => readonly string[];
  readonly breakOff: () => Promise<void>;
  readonly fix: () => Promise<void>;
  /** Stores the next post and loses its answer. */
  readonly loseNextAnswer: () => void;
  /** Throttles the next call. */
  readonly limitNext: (retryAfterSeconds: number) => void;
  /** Archives the channel. */
  readonly archive: () => void;
  /** Deletes a message as a member. */
  readonly remove: (id: string) => void;
}

const blocks: readonly Block[] = [
  { kind: "header", text: "production 5 → 25 %" },
  { kind: "section", text: "*moving* `one`" },
  { kind: "fields", fields: ["*Doing*\nnothing", "*Waiting for*\nno one"] },
  { kind: "context", text: "run abcdefabcdef" },
];

function draftOf(key: string, more: Partial<Draft> = {}): Draft {
  return { text: `text of ${key}`, blocks, marker: { key }, ...more };
}

const hourMs = 3_600_000;

function describeFinding(make: () => Promise<ChatBench>): void {
  it("a message is found again by its marker, by another process, with its note", async () => {
    const { chat, other } = await make();
    const root = await chat.post(draftOf("run/a", { marker: { key: "run/a", note: '{"items":["ü"]}' } }));
    expect(await other().findRoots(hourMs)).toEqual([{ id: root, marker: { key: "run/a", note: '{"items":["ü"]}' } }]);
  });

  it("roots come newest first and without replies; a thread comes whole, its root first", async () => {
    const { chat } = await make();
    const first = await chat.post(draftOf("run/a"));
    const second = await chat.post(draftOf("run/b"));
    const reply = await chat.post(draftOf("stop/1", { thread: first }));
    const last = await chat.post(draftOf("stop/2", { thread: first }));
    expect((await chat.findRoots(hourMs)).map(({ id }) => id)).toEqual([second, first]);
    expect((await chat.readThread(first)).map(({ id }) => id)).toEqual([first, reply, last]);
  });

  it("what others wrote is not ours", async () => {
    const { chat, readTexts } = await make();
    expect(await chat.findRoots(hourMs)).toEqual([]);
    expect(await chat.readThread("1.000001")).toEqual([]);
    expect(readTexts()).toEqual([]);
  });

  it("a thread of many replies is read whole", async () => {
    const { chat } = await make();
    const root = await chat.post(draftOf("run/a"));
    for (let index = 0; index < 30; index += 1) await chat.post(draftOf(`r/${index}`, { thread: root }));
    expect(await chat.readThread(root)).toHaveLength(31);
  });
}

function describeEditing(make: () => Promise<ChatBench>): void {
  it("an edit replaces text and note, and makes no second message", async () => {
    const { chat, readTexts } = await make();
    const id = await chat.post(draftOf("run/a"));
    const marker = { key: "run/a", note: "2" };
    expect(await chat.update(id, { text: "later", blocks, marker })).toBe(true);
    expect(readTexts()).toEqual(["later"]);
    expect(await chat.findRoots(hourMs)).toEqual([{ id, marker }]);
  });

  it("a message that was deleted is edited no more, and its thread is empty", async () => {
    const { chat, remove } = await make();
    const id = await chat.post(draftOf("run/a"));
    remove(id);
    expect(await chat.update(id, draftOf("run/a"))).toBe(false);
    expect(await chat.readThread(id)).toEqual([]);
  });
}

function describeFaults(make: () => Promise<ChatBench>): void {
  it("a chat that is down says so, and works again afterwards", async () => {
    const { chat, breakOff, fix, readTexts } = await make();
    await breakOff();
    await expect(chat.post(draftOf("run/a"))).rejects.toThrow(ChatUnavailable);
    await expect(chat.findRoots(hourMs)).rejects.toThrow(ChatUnavailable);
    await fix();
    await chat.post(draftOf("run/b"));
    expect(readTexts()).toEqual(["text of run/b"]);
  });

  it("a post whose answer is lost is not repeated by itself, and is found by its marker", async () => {
    const { chat, loseNextAnswer, readTexts } = await make();
    loseNextAnswer();
    await expect(chat.post(draftOf("run/a"))).rejects.toThrow(ChatUnavailable);
    expect((await chat.findRoots(hourMs)).map(({ marker }) => marker.key)).toEqual(["run/a"]);
    expect(readTexts()).toHaveLength(1);
  });

  it("a throttled call says how long to wait", async () => {
    const { chat, limitNext } = await make();
    limitNext(2);
    const refused: unknown = await chat.post(draftOf("run/a")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ChatUnavailable);
    expect((refused as ChatUnavailable).retryAfterMs).toBe(2000);
  });

  it("an archived channel is for a person to fix", async () => {
    const { chat, archive } = await make();
    archive();
    const refused: unknown = await chat.post(draftOf("run/a")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ChatRefused);
    expect(refused).toMatchObject({ concerns: "setup", fix: expect.stringMatching(/./) as string });
  });
}

/** What every `Chat` must do; `make` brings an empty channel. */
export function describeChat(name: string, make: () => Promise<ChatBench>): void {
  describe(name, () => {
    describe("finding again", () => {
      describeFinding(make);
    });
    describe("editing", () => {
      describeEditing(make);
    });
    describe("faults", () => {
      describeFaults(make);
    });
  });
}
