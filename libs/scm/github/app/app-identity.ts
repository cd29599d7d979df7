import { createPrivateKey } from "node:crypto";

import { readSecretFile, type Secret } from "#libs/runtime";

import { ScmRefused } from "../../port/errors.ts";

/** Which GitHub App we are, and where it is installed. */
export interface AppIdentity {
  /** The App's id or its client id. */
  readonly id: string;
  readonly key: AppKey;
  /** Absent: the installation that has the repository. */
  readonly installation?: number;
}

/** A private key of the App, PEM. A file is read at each use, so a new key needs no restart. */
export type AppKey = { readonly file: string } | { readonly value: Secret };

const download = "download a private key from the App's settings at GitHub (General, Private keys)";

function readText(key: AppKey): string {
  // A variable holds one line, so line ends may be written as \n.
  if ("value" in key) return key.value.reveal().replaceAll(String.raw`\n`, "\n");
  try {
    return readSecretFile(key.file);
  } catch (error) {
    const what = `the private key of the GitHub App cannot be read: ${String(error)}`;
    throw new ScmRefused(what, `put it into ${key.file}, readable for this process`, { reason: "AppKeyUnread" });
  }
}

function describePlace(key: AppKey): string {
  return "value" in key ? "MESHROLL_GITHUB_APP_KEY" : key.file;
}

/** The key as PKCS8 PEM. Throws `ScmRefused` where it is not a plain RSA private key: GitHub takes only RS256. */
export function readAppKey(key: AppKey): string {
  const text = readText(key);
  const place = describePlace(key);
  try {
    const parsed = createPrivateKey(text);
    if (parsed.asymmetricKeyType === "rsa") return parsed.export({ type: "pkcs8", format: "pem" }).toString();
  } catch {
    // OpenSSL's error text does not help; the error below says what to do.
  }
  throw new ScmRefused(`${place} is no RSA private key in PEM`, download, { reason: "AppKeyUnread" });
}
