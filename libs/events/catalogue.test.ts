import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { catalogue, type Event, type EventName, makeEvent, nameSubject, readEvent } from "./catalogue.ts";

/**
 * Messages as an earlier version of a process may still send them: they are never edited. An optional field may be added
 * to a type; anything else is a new type, with a sample of its own.
 */
const samples = JSON.parse(readFileSync(new URL("./catalogue-samples.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Event>
>;

test("every message of the catalogue has a sample, and every sample a message", () => {
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(catalogue).toSorted());
});

describe.each(Object.entries(samples))("%s", (name, sample) => {
  test("the sample is read as it is", () => {
    expect(readEvent(JSON.stringify(sample))).toEqual(sample);
  });

  test("a field that a newer version added is no harm", () => {
    const newer = { ...sample, data: { ...sample.data, later: 1 } };
    expect(readEvent(JSON.stringify(newer))).toEqual(sample);
  });

  test("every field of the sample is needed", () => {
    for (const field of Object.keys(sample.data)) {
      const data = Object.fromEntries(Object.entries(sample.data).filter(([key]) => key !== field));
      expect(readEvent(JSON.stringify({ ...sample, data })), field).toBe(undefined);
    }
  });

  test("this version makes it", () => {
    const made = makeEvent(name as EventName, sample.id, Date.parse(sample.at), sample.data as never);
    expect(made).toEqual(sample);
    expect(nameSubject(made)).toBe(`meshroll.v1.${sample.type}`);
  });
});

test.each(['{"type":"run.v2.started"}', "{}", "null", "7"])("a message that this version does not know: %s", (body) => {
  expect(readEvent(body)).toBe(undefined);
});
