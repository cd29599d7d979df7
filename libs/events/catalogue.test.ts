import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import {
  catalogue,
  type Event,
  type EventName,
  isOfItsSubject,
  makeEvent,
  nameSubject,
  readEvent,
} from "./catalogue.ts";

/**
 * Messages as an earlier version may still send them, so samples are never edited. A type may get an optional field; any other
 * change is a new type with a sample of its own.
 */
const samples = JSON.parse(readFileSync(new URL("./catalogue-samples.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Event>
>;

test("every message of the catalogue has a sample, and every sample a message", () => {
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(catalogue).toSorted());
});

describe("docs/reference/messages.md", () => {
  const page = readFileSync(new URL("../../docs/reference/messages.md", import.meta.url), "utf8");
  const [, events = ""] = /^## Events$(.*?)^## /msu.exec(page) ?? [];
  const titled = events
    .split(/^### /mu)
    .slice(1)
    .map((section) => ({ title: section.split("\n")[0] ?? "", section }));

  test("has a section for every message, and no other section", () => {
    expect(titled.map(({ title }) => title).toSorted()).toEqual(
      Object.values(catalogue)
        .map(({ type }) => type as string)
        .toSorted(),
    );
  });

  test.each(titled)("shows a message that can be read: $title", ({ title, section }) => {
    const [, sample = ""] = /^```json$(.*?)^```$/msu.exec(section) ?? [];
    expect(readEvent(sample)?.type).toBe(title);
  });
});

describe.each(Object.entries(samples))("%s", (name, sample) => {
  test("the sample is read unchanged", () => {
    expect(readEvent(JSON.stringify(sample))).toEqual(sample);
  });

  test("a field of a newer version is ignored", () => {
    const newer = { ...sample, data: { ...sample.data, later: 1 } };
    expect(readEvent(JSON.stringify(newer))).toEqual(sample);
  });

  test("every field of the sample is needed", () => {
    for (const field of Object.keys(sample.data)) {
      const data = Object.fromEntries(Object.entries(sample.data).filter(([key]) => key !== field));
      expect(readEvent(JSON.stringify({ ...sample, data })), field).toBe(undefined);
    }
  });

  test("this version makes the same message", () => {
    const made = makeEvent(name as EventName, sample.id, Date.parse(sample.at), sample.data as never);
    expect(made).toEqual(sample);
    expect(nameSubject(made)).toBe(`meshroll.v1.${sample.type}`);
  });
});

test.each(['{"type":"run.v2.started"}', "{}", "null", "7"])("a message that this version does not know: %s", (body) => {
  expect(readEvent(body)).toBe(undefined);
});

describe("a message whose type differs from its subject is refused", () => {
  const body = (type: unknown) => JSON.stringify({ type, id: "x", at: "2026-11-22T12:00:00.000Z", data: {} });
  const cases = [
    { name: "its own", subject: "meshroll.v1.run.v1.done", text: body("run.v1.done"), want: true },
    { name: "of a newer process", subject: "meshroll.v1.run.v9.later", text: body("run.v9.later"), want: true },
    { name: "a run's end under a hint", subject: "meshroll.v1.hint.v1.github", text: body("run.v1.done"), want: false },
    {
      name: "a stop under a workload",
      subject: "meshroll.v1.workload.v1.moved",
      text: body("stop.v1.placed"),
      want: false,
    },
    { name: "no type", subject: "meshroll.v1.run.v1.done", text: body(7), want: false },
    { name: "no JSON", subject: "meshroll.v1.run.v1.done", text: "{", want: false },
  ];
  test.each(cases)("$name: $want", ({ subject, text, want }) => expect(isOfItsSubject(subject, text)).toBe(want));
});
