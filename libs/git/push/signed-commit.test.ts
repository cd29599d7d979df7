import { expect, test } from "vitest";

import { insertSignature, splitSignature } from "./signed-commit.ts";

const headers = "tree 1\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n";
const message = "\nsentence\n\ngpgsig no header of the commit\n";
const payload = Buffer.from(headers + message);
const signature = "-----BEGIN-----\nAAAA\n-----END-----";

test("a signature is the last header, and is taken out again byte for byte", () => {
  const signed = insertSignature(payload, signature, "a".repeat(40));
  expect(signed.toString()).toBe(`${headers}gpgsig -----BEGIN-----\n AAAA\n -----END-----\n${message}`);
  expect(splitSignature(signed)).toEqual({ payload, signature });
});

const cases = [
  { name: "a commit without one has none", commit: payload.toString(), want: { payload } },
  {
    name: "of two that stand there none counts",
    commit: `${headers}gpgsig A\n B\ngpgsig-sha256 C\n${message}`,
    want: { payload },
  },
  {
    name: "what follows it in the headers is a part of what is signed",
    commit: `tree 1\ngpgsig A\n B\nmergetag C\n D\n\nm\n`,
    want: { payload: Buffer.from("tree 1\nmergetag C\n D\n\nm\n"), signature: "A\nB" },
  },
  {
    name: "a commit without a message ends with its headers",
    commit: "tree 1\ngpgsig A\n",
    want: { payload: Buffer.from("tree 1\n"), signature: "A" },
  },
];

test.each(cases)("signatures of commits: $name", ({ commit, want }) => {
  expect(splitSignature(Buffer.from(commit))).toEqual(want);
});
