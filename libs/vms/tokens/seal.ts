import { createHmac, timingSafeEqual } from "node:crypto";

/** The use of a token; one of another use is no token here, though the same key signed it. */
export type Use = "meshroll-join" | "meshroll-vm";

/** More than any token has, so that a hostile text costs nothing. */
const longest = 2048;

function sign(key: string, use: Use, payload: string): Buffer {
  return createHmac("sha256", key).update(`${use} 1\n${payload}`).digest();
}

/** `USE.PAYLOAD.SIGNATURE`. The payload is JSON in base64url: everyone who has the token may read it. */
export function seal(key: string, use: Use, value: object): string {
  const payload = Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${use}.${payload}.${sign(key, use, payload).toString("base64url")}`;
}

function isSigned(key: string, use: Use, payload: string, signature: Buffer): boolean {
  const own = sign(key, use, payload);
  return own.length === signature.length && timingSafeEqual(own, signature);
}

/** What a token says, if one of the keys signed it for this use; undefined for any other text. */
export function unseal(keys: readonly string[], use: Use, token: string): unknown {
  if (token.length > longest) return undefined;
  const [name = "", payload = "", signature = "", ...more] = token.split(".");
  if (name !== use || more.length > 0 || !/^[\w-]+$/.test(payload) || !/^[\w-]{43}$/.test(signature)) return undefined;
  const given = Buffer.from(signature, "base64url");
  // All keys are compared, each in constant time.
  const verdicts = keys.map((key) => isSigned(key, use, payload, given));
  if (!verdicts.includes(true)) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as unknown;
}
