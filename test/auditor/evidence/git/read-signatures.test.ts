import { createSigner } from "#libs/ledger";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";

import { audit } from "../../audit.ts";
import { make, move, run, runId, web } from "../../plant/plant.ts";
import { addSignature, plantCommit, plantKey } from "../../plant/plant-signature.ts";
import { readDoubts } from "./read-doubts.ts";
import { isSigned } from "./read-signatures.ts";
import type { RecordedPush, RecordedRepository } from "./recorded-repository.ts";

const [named, other] = [plantKey(), plantKey()];
const content = plantCommit("run started");
const good = named.sign(content);

/** Newest commits of the ledger, and whether the key that main names signed them. */
const heads: readonly { readonly name: string; readonly raw: Buffer; readonly want: boolean }[] = [
  { name: "signed by the key that main names", raw: addSignature(content, good), want: true },
  { name: "with no signature", raw: Buffer.from(content), want: false },
  { name: "signed by a key that main does not name", raw: addSignature(content, other.sign(content)), want: false },
  {
    name: "with the signature of another commit",
    raw: addSignature(plantCommit("run done"), good),
    want: false,
  },
  {
    name: "signed by another key that shows the named one",
    raw: addSignature(content, other.sign(content, "git", named.publicKey)),
    want: false,
  },
  {
    name: "with a signature that was made for a file",
    raw: addSignature(content, named.sign(content, "file")),
    want: false,
  },
  {
    name: "with a signature that stands in its message",
    raw: Buffer.from(`${content}gpgsig ${good.replaceAll("\n", "\n ")}\n`),
    want: false,
  },
  { name: "with a signature that was cut off", raw: addSignature(content, good.slice(0, 200)), want: false },
  { name: "with a signature that is no base64", raw: addSignature(content, "?"), want: false },
];

test.each(heads)("auditor: a head of the ledger $name", ({ raw, want }) => {
  expect(isSigned(raw, [named.publicKey])).toBe(want);
});

test("auditor: a signature as the product makes it is good, and of its own content alone", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const signer = createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  const [, key = ""] = signer.publicKey.split(" ");
  const raw = addSignature(content, signer.sign(Buffer.from(content)));
  expect([isSigned(raw, [key]), isSigned(raw, [named.publicKey])]).toEqual([true, false]);
});

const settings = (...keys: readonly string[]): string =>
  `ledger: { signers: [${keys.map((key) => `"ssh-ed25519 ${key} planner"`).join()}] }`;

/** Main names the key, the planner signs at 100 s, and this head comes at 200 s. */
function record(raw: Buffer): RecordedRepository {
  const commits = {
    main: { changes: new Map([["meshroll.yml", settings(named.publicKey)]]) },
    first: { changes: new Map([["heads", "{}"]]), raw: () => addSignature(content, good) },
    second: { parent: "first", changes: new Map([["requests/a.json", "{}"]]), raw: () => raw },
  };
  const push = (branch: string, after: string, seconds: number): RecordedPush => {
    return { branch, after, from: seconds * 1000, until: seconds * 1000, by: "ana" };
  };
  const known = new Map(Object.entries(commits));
  return {
    pushes: [push("main", "main", 90), push("meshroll/ledger", "first", 100), push("meshroll/ledger", "second", 200)],
    commit: (sha) => {
      const found = known.get(sha);
      return found === undefined ? undefined : { sha, author: "planner", ...found };
    },
  };
}

describe("a forward write two minutes after a head of the ledger", () => {
  test.each(heads)("$name", ({ raw, want }) => {
    const doubts = readDoubts(record(raw));
    const ledger = { stops: [], runs: [run(runId)], doubts };
    const { violations } = audit(make({ writes: [move(web, 320_000, "new")] }, { ledger }));
    expect(violations).toMatchObject(
      want ? [] : [{ rule: "doubtHolds", what: "moved forward while no key that main named had signed second" }],
    );
  });
});
