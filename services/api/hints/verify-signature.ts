import { verify } from "@octokit/webhooks-methods";

/** GitHub's header `X-Hub-Signature-256`. The older SHA-1 header is ignored. */
export const signatureHeader = "x-hub-signature-256";

/** Whether a text has the form of a signature. Otherwise the body is not read. */
export function isSignature(text: unknown): text is string {
  return typeof text === "string" && /^sha256=[0-9a-f]{64}$/.test(text);
}

/**
 * Whether one of the secrets signed exactly these bytes. All secrets are tried, each in constant time. Bytes that are not UTF-8
 * have no valid signature: GitHub sends none.
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
