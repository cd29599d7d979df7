import { expect, it } from "vitest";

import type { ApiObject } from "../../api-types.ts";
import { createInterner } from "../../objects/interner.ts";
import { createEntries } from "./entry-collection.ts";

interface Entry {
  readonly name?: string;
  readonly address?: unknown;
  readonly health?: string;
  readonly type?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

function makeEntry({ name = "a", address = "10.0.0.1", health, type = "Healthy", annotations }: Entry): ApiObject {
  const status = health === undefined ? {} : { status: { conditions: [{ type, status: health }] } };
  const metadata = { namespace: "shop", name, ...(annotations === undefined ? {} : { annotations }) };
  return { metadata, spec: { address }, ...status } as unknown as ApiObject;
}

const cases: Readonly<Record<string, readonly [entries: readonly Entry[], want: Readonly<Record<string, boolean>>]>> = {
  "without a probe it is healthy": [[{}], { "10.0.0.1": true }],
  "a probe that found it well": [[{ health: "True" }], { "10.0.0.1": true }],
  "a probe that found it ill": [[{ health: "False" }], { "10.0.0.1": false }],
  "a probe that does not know says nothing": [[{ health: "Unknown" }], { "10.0.0.1": true }],
  "another condition says nothing": [[{ type: "Connected", health: "False" }], { "10.0.0.1": true }],
  "its proxy is gone, and its last probe found it well": [
    [{ health: "True", annotations: { "istio.io/disconnectedAt": "2026-11-28T17:13:22Z" } }],
    { "10.0.0.1": false },
  ],
  "its proxy is connected": [
    [{ health: "True", annotations: { "istio.io/connectedAt": "2026-11-28T17:13:11Z" } }],
    { "10.0.0.1": true },
  ],
  "two of one address, the first ill": [[{ name: "a", health: "False" }, { name: "b" }], { "10.0.0.1": false }],
  "two of one address, the second ill": [[{ name: "a" }, { name: "b", health: "False" }], { "10.0.0.1": false }],
  "one without an address is none of a VM": [[{ address: null }, { name: "b", address: "" }], {}],
  "an address of another kind is none": [[{ address: 7 }], {}],
  "an address that is a word of JavaScript": [[{ address: "__proto__" }], { ["__proto__"]: true }],
};

it.each(Object.entries(cases))("%s", (_, [entries, want]) => {
  const collection = createEntries(() => undefined, createInterner());
  for (const entry of entries) collection.upsert(makeEntry(entry));
  expect([...collection.entriesOf("shop")]).toEqual(Object.entries(want));
  expect(collection.entriesOf("other").size).toBe(0);
});

it("an entry that moves to another address leaves the first", () => {
  const changes: string[] = [];
  const collection = createEntries((namespace) => changes.push(namespace), createInterner());
  collection.upsert(makeEntry({ address: "10.0.0.1" }));
  const before = collection.entriesOf("shop");
  collection.upsert(makeEntry({ address: "10.0.0.1" }));
  expect([changes, collection.entriesOf("shop")]).toEqual([["shop"], before]);
  collection.upsert(makeEntry({ address: "10.0.0.2" }));
  expect([...collection.entriesOf("shop").keys()]).toEqual(["10.0.0.2"]);
  collection.beginList();
  collection.endList();
  expect([changes, collection.entriesOf("shop").size]).toEqual([["shop", "shop", "shop"], 0]);
});
