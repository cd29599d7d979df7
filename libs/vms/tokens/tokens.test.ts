import { describe, expect, it } from "vitest";

import { printCredential, printJoinToken, readCredential, readJoinToken } from "./tokens.ts";

const key = "5f0c2f4bd9e1a7c3b6d8e2f1a4c7b9d0";
const older = "0d9b7c4a1f2e8d6b3c7a1e9db4f2c0f5";
const group = { cluster: "east", namespace: "shop", name: "web.v1" };
const grant = { group, expires: 1_800_000_000_000 };
const credential = { vm: { group, name: "vm-1" }, id: "Q7hW2mZk9TxR" };

const token = printJoinToken(key, grant);
const own = printCredential(key, credential);

function change(text: string, part: number, to: (old: string) => string): string {
  return text
    .split(".")
    .map((each, at) => (at === part ? to(each) : each))
    .join(".");
}

function widen(payload: string): string {
  const value = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  return Buffer.from(JSON.stringify({ ...value, group: "other", name: "vm-2" })).toString("base64url");
}

describe("tokens of VMs", () => {
  it("say what they were made for", () => {
    expect(readJoinToken([key], token)).toEqual(grant);
    expect(readCredential([key], own)).toEqual(credential);
  });

  it("of the key before are read while that key is known", () => {
    expect(readJoinToken([older, key], token)).toEqual(grant);
    expect(readCredential([older, key], own)).toEqual(credential);
    expect(readCredential([older], own)).toBe(undefined);
    expect(readCredential([], own)).toBe(undefined);
  });

  it("one that was printed twice is the same text, so any api reads it after any wipe", () => {
    expect(printCredential(key, credential)).toBe(own);
  });

  const forged = [
    { name: "a join token as a credential", read: readCredential, text: token },
    { name: "a credential as a join token", read: readJoinToken, text: own },
    {
      name: "a join token that is called a credential",
      read: readCredential,
      text: change(token, 0, () => "meshroll-vm"),
    },
    { name: "another VM in the payload", read: readCredential, text: change(own, 1, widen) },
    { name: "another group in the payload", read: readJoinToken, text: change(token, 1, widen) },
    { name: "another signature", read: readCredential, text: change(own, 2, () => "A".repeat(43)) },
    { name: "a shorter signature", read: readCredential, text: change(own, 2, (old) => old.slice(1)) },
    { name: "no signature", read: readCredential, text: change(own, 2, () => "") },
    { name: "a fourth part", read: readCredential, text: `${own}.x` },
    { name: "a long text", read: readCredential, text: `meshroll-vm.${"A".repeat(100_000)}.${"A".repeat(43)}` },
    { name: "nothing", read: readJoinToken, text: "" },
  ];
  it.each(forged)("$name is no token", ({ read, text }) => {
    expect(read([key], text)).toBe(undefined);
  });

  const odd = [
    { name: "a cluster with a dot", group: { ...group, cluster: "a.b" } },
    { name: "a group that leaves its key", group: { ...group, name: "web/../x" } },
    { name: "a namespace with a star", group: { ...group, namespace: "*" } },
  ];
  it.each(odd)("$name is refused even when it is signed", ({ group: wrong }) => {
    expect(readJoinToken([key], printJoinToken(key, { ...grant, group: wrong }))).toBe(undefined);
    expect(readCredential([key], printCredential(key, { ...credential, vm: { group: wrong, name: "vm-1" } }))).toBe(
      undefined,
    );
  });
});
