import { describe, expect, it } from "vitest";

import {
  namePictureKey,
  type Picture,
  pictureLimitBytes,
  printPicture,
  printPictureIndex,
  readPicture,
  readPictureIndex,
} from "./picture.ts";

const picture: Picture = { at: "2026-11-19T12:00:00.000Z", status: "H4sI", table: "H4sJ" };
const large = "A".repeat(pictureLimitBytes);

describe("a picture of the fleet on the bus", () => {
  const cases: readonly { name: string; picture: Picture; want: Picture | undefined }[] = [
    { name: "is read as it was printed", picture, want: picture },
    {
      name: "may have no table yet",
      picture: { at: picture.at, status: "H4sI" },
      want: { at: picture.at, status: "H4sI" },
    },
    {
      name: "leaves out a table with which it is too large, and says so",
      picture: { ...picture, table: large },
      want: { at: picture.at, status: "H4sI", omitted: "table" },
    },
    { name: "is none where the status alone is too large", picture: { ...picture, status: large }, want: undefined },
  ];
  it.each(cases)("$name", ({ picture: given, want }) => {
    const text = printPicture(given);
    expect(text === undefined ? undefined : readPicture(text)).toEqual(want);
    expect(Buffer.byteLength(text ?? "")).toBeLessThanOrEqual(pictureLimitBytes);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"kind":"FleetPicture"}',
    '{"apiVersion":"meshroll.dev/v1","kind":"FleetPicture","at":1}',
  ])("is not read from a foreign value: %s", (text) => expect(readPicture(text)).toBeUndefined());
});

describe("the index of pictures", () => {
  it("is read as it was printed, the oldest first and each time once", () => {
    expect(readPictureIndex(printPictureIndex([30, 10, 20, 10]))).toEqual([10, 20, 30]);
    expect(namePictureKey(30)).toBe("pictures.30");
  });

  const foreign = [
    "",
    "[1]",
    '{"times":[1]}',
    printPictureIndex([-1]),
    printPictureIndex([1.5]),
    printPictureIndex([1e15]),
  ];
  it.each(foreign)("is not read from a foreign value: %s", (text) => expect(readPictureIndex(text)).toBeUndefined());
});
