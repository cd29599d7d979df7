import { describe, expect, test } from "vitest";

import { parseSettings } from "./parse-settings.ts";

const [one, two] = [
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA${"b".repeat(42)}`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIP${"c".repeat(42)}`,
];

function write(...signers: readonly string[]): string {
  return `ledger:\n  signers:\n${signers.map((each) => `    - ${each}\n`).join("")}`;
}

describe("ledger.signers", () => {
  test("are the keys without their comments", () => {
    expect(parseSettings(write(`${one} planner of acme`, two), "meshroll.yml")).toMatchObject({
      ok: true,
      value: { ledgerSigners: [one, two] },
    });
  });

  test("are absent where the file says nothing of them", () => {
    const parsed = parseSettings("{}", "meshroll.yml");
    expect(parsed.ok && "ledgerSigners" in parsed.value).toBe(false);
  });

  const wrong: readonly { readonly name: string; readonly text: string; readonly want: string }[] = [
    {
      name: "a key of RSA",
      text: write(one, `ssh-rsa ${"A".repeat(68)}`),
      want: "4:7 `ledger.signers[1]` must be the public key",
    },
    {
      name: "a key that is cut",
      text: write(one.slice(0, -1)),
      want: "3:7 `ledger.signers[0]` must be the public key",
    },
    {
      name: "a key of another length",
      text: write(one.replace("AAAAIA", "AAAAIQ")),
      want: "3:7 `ledger.signers[0]` must be",
    },
    { name: "a fingerprint", text: write("SHA256:abc"), want: "3:7 `ledger.signers[0]` must be the public key" },
    { name: "a name of GitHub", text: write("user:ana"), want: "3:7 `ledger.signers[0]` must be the public key" },
    { name: "one key twice", text: write(one, `${one} again`), want: "`ledger.signers` names" },
    { name: "no signer", text: "ledger:\n  signers: []\n", want: "2:12 `ledger.signers` needs at least 1" },
    { name: "no list", text: `ledger:\n  signers: ${one}\n`, want: "2:12 `ledger.signers` must be a list" },
    { name: "nothing below it", text: "ledger: {}\n", want: "1:9 `ledger` needs `signers`" },
    {
      name: "a word that is none",
      text: `${write(one)}  signer: x\n`,
      want: "4:3 `signer` is not a field in `ledger`",
    },
    {
      name: "eleven of them",
      text: write(...Array.from({ length: 11 }, (_, index) => one.slice(0, -1) + "abcdefghijk"[index])),
      want: "has 11 entries",
    },
  ];

  test.each(wrong)("are refused with their place: $name", ({ text, want }) => {
    const parsed = parseSettings(text, "meshroll.yml");
    const said = parsed.findings.map(({ line, column, message }) => `${line}:${column} ${message}`);
    expect([parsed.ok, said.join("\n")]).toEqual([false, expect.stringContaining(want)]);
  });
});
