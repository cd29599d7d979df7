import { createHmac } from "node:crypto";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isSignature, verifySignature } from "./verify-signature.ts";

const [newest, previous] = ["the-newest-secret", "the-previous-secret"];
const body = Buffer.from('{"ref":"refs/heads/main","who":"Zoë 🚀"}');

function sign(bytes: Uint8Array, secret: string, algorithm = "sha256"): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(bytes).digest("hex")}`;
}

describe("a signature", () => {
  it("as in GitHub's own documents is right", async () => {
    const given = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    expect(await verifySignature(Buffer.from("Hello, World!"), given, ["It's a Secret to Everybody"])).toBe(true);
  });

  const cases = [
    { name: "of the newest secret", bytes: body, signature: sign(body, newest), want: true },
    { name: "of the previous secret", bytes: body, signature: sign(body, previous), want: true },
    { name: "of an older secret", bytes: body, signature: sign(body, "an-older-secret"), want: false },
    {
      name: "of other bytes",
      bytes: Buffer.concat([body, Buffer.from(" ")]),
      signature: sign(body, newest),
      want: false,
    },
    { name: "in capitals", bytes: body, signature: sign(body, newest).toUpperCase(), want: false },
    { name: "cut short", bytes: body, signature: sign(body, newest).slice(0, -1), want: false },
    { name: "with an additional character", bytes: body, signature: `${sign(body, newest)}0`, want: false },
    { name: "of SHA-1", bytes: body, signature: sign(body, newest, "sha1"), want: false },
    { name: "of an empty body", bytes: Buffer.alloc(0), signature: sign(Buffer.alloc(0), newest), want: false },
    {
      name: "of bytes that are not UTF-8",
      bytes: Buffer.from([0x7b, 0xff, 0x7d]),
      signature: sign(Buffer.from([0x7b, 0xff, 0x7d]), newest),
      want: false,
    },
    { name: "that is empty", bytes: body, signature: "", want: false },
  ];
  it.each(cases)("$name: $want", async ({ bytes, signature, want }) => {
    expect(await verifySignature(bytes, signature, [newest, previous])).toBe(want);
  });

  it("is refused without a secret", async () => {
    expect(await verifySignature(body, sign(body, ""), [])).toBe(false);
  });

  it("of a changed body is refused", async () => {
    const signature = sign(body, newest);
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(await verifySignature(changed, signature, [newest, previous])).toBe(false);
      }),
    );
  });

  it.each([undefined, ["sha256=00"], "sha256=", "sha1=00", 7])("%j has not the form of a signature", (text) => {
    expect(isSignature(text)).toBe(false);
  });
});
