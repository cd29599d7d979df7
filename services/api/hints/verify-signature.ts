import { verify } from "@octokit/webhooks-methods";

/** GitHub's header `X-Hub-Signature-256`; the older SHA-1 one is not looked at. */
export const signatureHeader = "x-hub-signature-256";

/** True for a text that may be a signature: anything else is not worth reading a body for. */
export function isSignature(text: unknown): text is string {
  return typeof text === "string" && /^sha256=[0-9a-f]{64}$/.test(text);
}

/**
 * True when one of the secrets signed exactly these bytes. All are tried, each in constant time, so that an answer's time
 * says nothing about them. Bytes that are no UTF-8 have no valid signature: GitHub sends none.
 */
export async function verifySignature(
  body: Uint8Array,
  signature: string,
  secrets: readonly string[],
): Promise<boolean> {
  const text = Buffer.from(body).toString("utf8");
  if (text === "" || !isSignature(signature)) return false;
  const verdicts = await Promise.all(secrets.map(async (secret) => verify(secret, text, signature)));
  return verdicts.includes(true);
}
