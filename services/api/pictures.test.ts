import { gzipSync } from "node:zlib";

import { namePictureKey, type Picture, printPicture, printPictureIndex } from "#libs/events";
import { describe, expect, it } from "vitest";

import { openApi, type Opened } from "./test-api.ts";

const noon = Date.parse("2026-11-19T12:00:00Z") / 1000;
const pack = (value: unknown) => gzipSync(JSON.stringify(value)).toString("base64");

function makePicture(seconds: number, change: Partial<Picture> = {}): Picture {
  const at = new Date(seconds * 1000).toISOString();
  return {
    at,
    status: pack({ kind: "FleetStatus", at }),
    table: pack({ kind: "NamespaceTable", at, rows: Array.from({ length: 300 }, (_, place) => [`n${place}`]) }),
    ...change,
  };
}

async function keep({ bus, clock }: Opened, pictures: Readonly<Record<number, Picture | string>>): Promise<void> {
  const bucket = bus.bucket("status");
  const times = Object.keys(pictures).map(Number);
  for (const [time, value] of Object.entries(pictures))
    await bucket.put(namePictureKey(Number(time)), typeof value === "string" ? value : (printPicture(value) ?? ""));
  await bucket.put("pictures.index", printPictureIndex(times));
  await clock.settle();
}

async function openWith(pictures: Readonly<Record<number, Picture | string>>): Promise<Opened> {
  const opened = await openApi();
  await keep(opened, pictures);
  return opened;
}

const two = { [noon]: makePicture(noon), [noon + 60]: makePicture(noon + 60) };

it("the times of all pictures are listed, the oldest first", async () => {
  const { inject } = await openWith(two);
  expect((await inject("/v1/pictures")).json()).toEqual({
    apiVersion: "meshroll.dev/v1",
    kind: "Pictures",
    times: ["2026-11-19T12:00:00.000Z", "2026-11-19T12:01:00.000Z"],
  });
});

describe("with ?at= the answer is of the newest picture that is not later", () => {
  const cases: readonly { name: string; at: string; want: string }[] = [
    { name: "at its moment", at: "2026-11-19T12:00:00Z", want: "2026-11-19T12:00:00.000Z" },
    { name: "between two", at: "2026-11-19T12:00:59.999Z", want: "2026-11-19T12:00:00.000Z" },
    { name: "after all", at: "2030-01-01T00:00:00Z", want: "2026-11-19T12:01:00.000Z" },
    { name: "in another zone", at: "2026-11-19T13:00:30%2B01:00", want: "2026-11-19T12:00:00.000Z" },
    { name: "without seconds", at: "2026-11-19T12:01Z", want: "2026-11-19T12:01:00.000Z" },
  ];
  it.each(cases)("$name", async ({ at, want }) => {
    const { inject } = await openWith(two);
    const [status, table] = [await inject(`/v1/status?at=${at}`), await inject(`/v1/namespaces?at=${at}&since=1`)];
    expect([status.statusCode, status.json()["at"]]).toEqual([200, want]);
    expect([table.statusCode, table.json()["at"], (table.json()["rows"] as unknown[]).length]).toEqual([
      200,
      want,
      300,
    ]);
  });

  it.each(["", "yesterday", "2026-11-19", "2026-11-19T12:00:00", "2026-13-19T12:00:00Z", "1795000500", "%00"])(
    "and a bad time is refused: %s",
    async (at) => {
      const { inject } = await openWith(two);
      for (const path of ["/v1/status", "/v1/namespaces"]) {
        const answer = await inject(`${path}?at=${at}`);
        expect([answer.statusCode, answer.json()["error"]]).toEqual([400, "BadTime"]);
      }
    },
  );
});

describe("where no picture is kept", () => {
  const before = "/v1/status?at=2026-11-19T11:59:59Z";

  it("the answer names the oldest one, and the command for the ledger", async () => {
    const { inject } = await openWith(two);
    const answer = await inject(before);
    expect([answer.statusCode, answer.json()["error"]]).toEqual([404, "NoPicture"]);
    expect(answer.json()["message"]).toMatch(/oldest is of 2026-11-19T12:00:00.000Z; meshroll history/);
  });

  it("the answer says that there is none", async () => {
    const { inject } = await openApi();
    expect((await inject("/v1/pictures")).json()["times"]).toEqual([]);
    expect((await inject(before)).json()["message"]).toMatch(/none is kept/);
  });

  it("the table alone may be missing", async () => {
    const { table: _, ...rest } = makePicture(noon);
    const { inject } = await openWith({ [noon]: { ...rest, omitted: "table" } });
    expect((await inject("/v1/status?at=2026-11-19T12:00:00Z")).statusCode).toBe(200);
    const answer = await inject("/v1/namespaces?at=2026-11-19T12:00:00Z");
    expect([answer.statusCode, answer.json()["error"]]).toEqual([404, "NoTable"]);
  });

  const foreign: readonly { name: string; value: Picture | string }[] = [
    { name: "no JSON", value: "{" },
    { name: "no gzip", value: makePicture(noon + 60, { status: "AAAA" }) },
    { name: "no status", value: makePicture(noon + 60, { status: pack({ kind: "Other" }) }) },
    { name: "null", value: makePicture(noon + 60, { status: pack(null) }) },
    {
      name: "a bomb",
      value: makePicture(noon + 60, { status: pack({ kind: "FleetStatus", x: "0".repeat(17_000_000) }) }),
    },
  ];
  it.each(foreign)("a value of a foreign program is skipped: $name", async ({ value }) => {
    const { inject } = await openWith({ [noon]: makePicture(noon), [noon + 60]: value });
    const answer = await inject("/v1/status?at=2026-11-19T12:02:00Z");
    expect([answer.statusCode, answer.json()["at"]]).toEqual([200, "2026-11-19T12:00:00.000Z"]);
  });

  it("a picture that the index names and the bus lost is skipped", async () => {
    const opened = await openWith(two);
    await opened.bus.bucket("status").delete(namePictureKey(noon + 60));
    expect((await opened.inject("/v1/status?at=2026-11-19T12:02:00Z")).json()["at"]).toBe("2026-11-19T12:00:00.000Z");
  });

  it("because the bus was wiped, the answer says so", async () => {
    const opened = await openWith(two);
    opened.busServer.wipe();
    await opened.clock.settle();
    expect((await opened.inject("/v1/pictures")).json()["times"]).toEqual([]);
  });

  it("because the bus is away, the answer is 503", async () => {
    const opened = await openWith(two);
    opened.busServer.disconnect();
    for (const path of [
      "/v1/pictures",
      "/v1/status?at=2026-11-19T12:00:00Z",
      "/v1/namespaces?at=2026-11-19T12:00:00Z",
    ]) {
      const answer = await opened.inject(path);
      expect([answer.statusCode, answer.json()["error"]]).toEqual([503, "PicturesUnknown"]);
    }
  });
});

it("a picture is sent as the planner packed it, and plain to a caller that does not accept gzip", async () => {
  const { url, inject } = await openWith(two);
  const path = "/v1/namespaces?at=2026-11-19T12:00:00Z";
  const packed = await fetch(url + path);
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(((await packed.json()) as { rows: unknown[] }).rows).toHaveLength(300);
  const plain = await inject(path);
  expect([plain.headers["content-encoding"], plain.headers["vary"]]).toEqual([undefined, "accept-encoding"]);
});

it("a picture that the index does not name any more is read again when it is named again", async () => {
  const opened = await openWith(two);
  const path = "/v1/status?at=2026-11-19T12:01:00Z";
  await opened.inject(path);
  await keep(opened, { [noon]: makePicture(noon) });
  const later = pack({ kind: "FleetStatus", at: "other" });
  await keep(opened, { [noon + 60]: makePicture(noon + 60, { status: later }) });
  expect((await opened.inject(path)).json()["at"]).toBe("other");
});
