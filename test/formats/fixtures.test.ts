import { chooseFormat, readHeard } from "#libs/events";
import { newestFormat, oldestFormat } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { describe, expect, test } from "vitest";

import { editFile, editFiles, readFileRecords } from "./edit-ledger.ts";
import { type Caught, listVersions, readExpected, readFixture, readForms } from "./fixture.ts";
import { plantLedger, readAll } from "./read-all.ts";
import { readRecord } from "./read-record.ts";

const versions = listVersions();
const readable = versions.filter((version) => version >= oldestFormat);

/** By the beginning of a path of the ledger: the kind of record that stands there. */
const ledgerKinds: readonly (readonly [prefix: string, kind: string])[] = [
  ["heads", "ledger heads"],
  ["baseline", "ledger baseline"],
  ["runs/", "ledger run"],
  ["stops/", "ledger stop"],
  ["requests/", "ledger verb"],
  ["plans/", "ledger plan"],
  ["past/runs/", "ledger line of a past run"],
  ["past/stops/", "ledger line of a past stop"],
  ["archive/runs/", "ledger run in the archive"],
  ["archive/stops/", "ledger stop in the archive"],
  ["archive/plans/", "ledger plan in the archive"],
];

/** The kind as the kept forms name it: four verbs have one form, and so have three answers. */
function nameForm(kind: string): string {
  if (kind.startsWith("ask ")) return "control verb";
  return kind.startsWith("answer ") ? "status answer" : kind;
}

function listKinds(version: number): ReadonlySet<string> {
  const { records, ledger } = readFixture(version);
  const ofLedger = Object.keys(ledger).flatMap((path) => {
    const found = ledgerKinds.find(([prefix]) => path.startsWith(prefix));
    return found === undefined ? [] : [found[1]];
  });
  return new Set([...Object.keys(records).map(nameForm), ...ofLedger]);
}

test("each version that this build reads has fixtures", () => {
  expect(readable).toEqual([oldestFormat, newestFormat]);
});

describe.each(readable)("what real processes wrote in version %i", (version) => {
  const { records, ledger } = readFixture(version);

  test("has a record of each kind", () => {
    const wanted = [...Object.keys(readForms(newestFormat)), ...ledgerKinds.map(([, kind]) => kind)];
    const missing = [...new Set(wanted)].filter((kind) => !listKinds(version).has(kind));
    expect(missing).toEqual([]);
  });

  test("is of that version", () => {
    const heads = JSON.parse(ledger["heads"]!) as { readonly version: number };
    expect([heads.version, chooseFormat(records["control state"]!.text)]).toEqual([version, version]);
  });

  test.each(Object.entries(records))("is read: %s", (kind, caught) => {
    const read = readRecord(kind, caught);
    expect(read).toBeDefined();
    expect(read).not.toMatchObject({ ok: false });
  });

  test("is read to the values that are kept next to it", async () => {
    expect(await readAll(version)).toEqual(readExpected(version));
  });

  test("keeps fields of a newer build at the next write, in every live file of the ledger", async () => {
    const later = { later: { of: "a newer build" } };
    const { branch, head } = await plantLedger(editFiles(ledger, (record) => ({ ...record, ...later })));
    const opened = openLedger(branch);
    const read = await opened.load(head);
    const entry = { sentence: "all again", actor: "ana", cause: "Test" };
    // Another version is the one change that rewrites every live file.
    const format = version === newestFormat ? oldestFormat : newestFormat;
    const written = await opened.record({ ...entry, next: { ...read, format, sequence: read.sequence + 1 } }, read);
    if (written.kind !== "recorded") throw new Error(written.why);

    const files = await branch.readTree(written.state.head, Object.keys(ledger));
    const live = files.filter(({ path }) => !path.startsWith("archive/"));
    const before = live.filter(
      ({ path, text = "" }) => text === editFile(path, ledger[path]!, (r) => ({ ...r, ...later })),
    );
    expect(before.map(({ path }) => path)).toEqual([]);
    for (const { path, text = "" } of live)
      for (const record of readFileRecords(path, text)) expect(record, path).toMatchObject(later);
  });
});

const kindsOfNewest = Object.entries(readFixture(newestFormat).records);
const versioned = kindsOfNewest.filter(([kind]) => !kind.startsWith("event ") && kind !== "status fleet");
const others: readonly { readonly name: string; readonly version: unknown; readonly why: string }[] = [
  { name: "one newer", version: newestFormat + 1, why: `it is of version ${newestFormat + 1}, this build` },
  { name: "one too old", version: oldestFormat - 1, why: oldestFormat > 1 ? "of version" : "it names no version" },
  { name: "none", version: undefined, why: "it names no version" },
  { name: "a text", version: String(newestFormat), why: "it names no version" },
];

/** With another version in it, as the build that writes that one would write it. */
function rename({ key, text }: Caught, version: unknown): Caught {
  return { key, text: JSON.stringify({ ...(JSON.parse(text) as object), version }) };
}

describe.each(others)("a record whose version is $name is refused", ({ version, why }) => {
  test.each(versioned)("%s", (kind, caught) => {
    const read = readRecord(kind, rename(caught, version));
    // Some readers say why, the others that nothing is known.
    const said = read === undefined ? why : (read as { readonly why?: string }).why;
    expect(said).toContain(why);
  });
});

const { ledger: newestLedger } = readFixture(newestFormat);
const live = Object.keys(newestLedger).filter((path) => !path.startsWith("archive/"));
const first = ledgerKinds.flatMap(([prefix, kind]) => {
  const path = live.find((each) => each.startsWith(prefix));
  return path === undefined ? [] : [{ kind, path }];
});

describe.each([newestFormat + 1, oldestFormat - 1])(
  "a ledger with one record of version %i is refused by name",
  (version) => {
    test.each(first)("$kind", async ({ path }) => {
      const text = editFile(path, newestLedger[path]!, (record) => ({ ...record, version }));
      const { branch, head } = await plantLedger({ ...newestLedger, [path]: text });
      const why = version > newestFormat ? `it is of version ${version}` : "it names no version";
      await expect(openLedger(branch).load(head)).rejects.toThrow(why);
      await expect(openLedger(branch).load(head)).rejects.toThrow(path);
    });
  },
);

test("of a state of a newer build it is known who wrote it, and this build writes its own newest", () => {
  const { text } = rename(readFixture(newestFormat).records["control state"]!, newestFormat + 1);
  const { writer } = JSON.parse(text) as { readonly writer: string };
  expect(readHeard(text)).toEqual({ writer, reads: newestFormat + 1 });
  expect(chooseFormat(text)).toBe(newestFormat);
});

test("of a status of another API version, and of an event of another version of its type, nothing is read", () => {
  const { records } = readFixture(newestFormat);
  const status = records["status fleet"]!;
  const event = records["event run.v1.done"]!;
  expect(
    readRecord("status fleet", { ...status, text: status.text.replace("meshroll.dev/v1", "meshroll.dev/v2") }),
  ).toBe(undefined);
  expect(readRecord("event run.v1.done", { ...event, text: event.text.replace("run.v1.done", "run.v2.done") })).toBe(
    undefined,
  );
});
