import { verify } from "node:crypto";

import { HttpError } from "./http-error.ts";
import type { AppState } from "../state/app.ts";

const undecoded = "A JSON web token could not be decoded";

function parsePart(part: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString());
    if (typeof parsed === "object" && parsed !== null) return { ...parsed };
  } catch {
    // Refused below, like any text that is no web token.
  }
  throw new HttpError(401, undecoded);
}

/** GitHub allows ten minutes at most, and compares both times with its own clock. */
function requireTimes({ exp, iat }: Readonly<Record<string, unknown>>, now: number): void {
  const seconds = Math.floor(now / 1000);
  const expires = "'Expiration time' claim ('exp')";
  if (typeof exp !== "number" || exp <= seconds) {
    const must = "must be a numeric value representing the future time at which the assertion expires";
    throw new HttpError(401, `${expires} ${must}`);
  }
  if (exp > seconds + 600) throw new HttpError(401, `${expires} is too far in the future`);
  if (!Number.isInteger(iat) || Number(iat) > seconds) {
    const must = "must be an Integer representing the time that the assertion was issued";
    throw new HttpError(401, `'Issued at' claim ('iat') ${must}`);
  }
}

/** Throws GitHub's errors unless the text is a valid web token of the App: RS256, signed by one of its keys, not expired. */
export function requireWebToken(text: string | undefined, state: AppState): void {
  const { app } = state;
  const [head, body, signature, ...more] = text?.split(".") ?? [];
  const [{ alg }, claims] = [parsePart(head), parsePart(body)];
  if (alg !== "RS256" || signature === undefined || more.length > 0) throw new HttpError(401, undecoded);
  if (String(claims["iss"]) !== String(app.id)) throw new HttpError(404, "Integration not found");
  if (app.keys.length === 0) throw new HttpError(401, "Integration must generate a public key");
  const [signed, bytes] = [Buffer.from(`${head}.${body}`), Buffer.from(signature, "base64url")];
  if (!app.keys.some((key) => verify("RSA-SHA256", signed, key, bytes))) throw new HttpError(401, undecoded);
  requireTimes(claims, state.now());
}
