import { Metadata, MetadataKind, type Root, type Snapshot, type Targets, type Timestamp } from "@tufjs/models";

import { type Role, roles, type Signer, type Signers } from "./keys.ts";

const specVersion = "1.0.31";
const dayMs = 86_400_000;

/** Days for which each role's metadata is valid. The timestamp is renewed by a job of its own, the others with each release. */
export interface Lifetimes {
  readonly root: number;
  readonly targets: number;
  readonly snapshot: number;
  readonly timestamp: number;
}

export const defaultLifetimes: Lifetimes = { root: 365, targets: 90, snapshot: 90, timestamp: 7 };

type JsonObject = Parameters<typeof Metadata.fromJSON>[1];

function frame(type: Role, version: number, now: number, days: number, content: JsonObject): JsonObject {
  const expires = new Date(now + days * dayMs).toISOString().replace(/\.\d{3}Z$/, "Z");
  return { signed: { _type: type, spec_version: specVersion, version, expires, ...content }, signatures: [] };
}

/** A role's keys: at least `threshold` of the `keys` must sign. */
export interface RoleKeys {
  readonly signers: Signers;
  /** For root; the others need one. */
  readonly threshold: number;
}

export function makeRoot(version: number, now: number, days: number, { signers, threshold }: RoleKeys): Metadata<Root> {
  const all = roles.flatMap((role) => signers[role]);
  const keys = Object.fromEntries(all.map(({ keyId, key }) => [keyId, { ...key, keyval: { ...key.keyval } }]));
  const named = roles.map((role) => {
    return [role, { keyids: signers[role].map(({ keyId }) => keyId), threshold: role === "root" ? threshold : 1 }];
  });
  const content = { keys, roles: Object.fromEntries(named) as JsonObject, consistent_snapshot: true };
  return Metadata.fromJSON(MetadataKind.Root, frame("root", version, now, days, content));
}

export interface Target {
  /** In bytes. */
  readonly length: number;
  readonly sha256: string;
}

export function makeTargets(
  version: number,
  now: number,
  days: number,
  targets: ReadonlyMap<string, Target>,
): Metadata<Targets> {
  const named = [...targets].map(([name, { length, sha256 }]) => [name, { length, hashes: { sha256 } }]);
  const content = { targets: Object.fromEntries(named) as JsonObject };
  return Metadata.fromJSON(MetadataKind.Targets, frame("targets", version, now, days, content));
}

export function makeSnapshot(version: number, now: number, days: number, targetsVersion: number): Metadata<Snapshot> {
  const content = { meta: { "targets.json": { version: targetsVersion } } };
  return Metadata.fromJSON(MetadataKind.Snapshot, frame("snapshot", version, now, days, content));
}

export function makeTimestamp(
  version: number,
  now: number,
  days: number,
  snapshotVersion: number,
): Metadata<Timestamp> {
  const content = { meta: { "snapshot.json": { version: snapshotVersion } } };
  return Metadata.fromJSON(MetadataKind.Timestamp, frame("timestamp", version, now, days, content));
}

/** Signed by all of them, as text. */
export function signAs(metadata: Metadata<Root | Targets | Snapshot | Timestamp>, signers: readonly Signer[]): string {
  const distinct = new Map(signers.map((signer) => [signer.keyId, signer]));
  for (const signer of distinct.values()) metadata.sign((data) => signer.sign(data));
  return JSON.stringify(metadata.toJSON());
}
