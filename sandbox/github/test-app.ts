import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { GithubApp } from "./index.ts";

/** A pair of keys as GitHub makes them: the private one as it is downloaded, `BEGIN RSA PRIVATE KEY`. */
export interface AppKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function makeAppKeys(): AppKeys {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}

/** An App with all permissions that meshroll uses. */
export function makeApp(keys: AppKeys, more: Partial<GithubApp> = {}): GithubApp {
  return {
    id: 7_100,
    slug: "meshroll",
    installation: 42_001,
    keys: [keys.publicKey],
    permissions: {
      metadata: "read",
      contents: "write",
      pull_requests: "write",
      checks: "write",
      statuses: "write",
      issues: "write",
      deployments: "write",
      members: "read",
    },
    ...more,
  };
}

/** Writes the private key into a file of this folder; returns its path. */
export function writeKey(folder: string, { privateKey }: AppKeys): string {
  const path = join(folder, "app.pem");
  writeFileSync(path, privateKey, { mode: 0o600 });
  return path;
}
