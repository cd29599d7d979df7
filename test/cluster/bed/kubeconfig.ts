import { readFileSync, writeFileSync } from "node:fs";

import { stringify } from "yaml";

import type { Certificates, Person } from "./certificates.ts";

function encode(file: string): string {
  return readFileSync(file).toString("base64");
}

/** Writes a kubeconfig with embedded certificates; returns its path. */
export function writeKubeconfig(file: string, server: string, person: Person, certificates: Certificates): string {
  const { cert, key } = certificates.of(person);
  const cluster = { server, "certificate-authority-data": encode(certificates.authority) };
  const user = { "client-certificate-data": encode(cert), "client-key-data": encode(key) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "bed",
    clusters: [{ name: "bed", cluster }],
    users: [{ name: person, user }],
    contexts: [{ name: "bed", context: { cluster: "bed", user: person } }],
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return file;
}
