import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Metadata, MetadataKind, type Root } from "@tufjs/models";

import { layout, nameTarget } from "../layout.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { type Role, roles, type Signers } from "./keys.ts";
import {
  defaultLifetimes,
  type Lifetimes,
  makeRoot,
  makeSnapshot,
  makeTargets,
  makeTimestamp,
  signAs,
  type Target,
} from "./roles.ts";
import { hashBytes, readNewest, removeFile, writeWhole } from "./store-folder.ts";

/** Why a store cannot be signed. A person must fix it. */
export class SigningRefused extends Error {
  override readonly name = "SigningRefused";
}

export interface SignOptions {
  readonly signers: Signers;
  /** Epoch ms. */
  readonly now: number;
  readonly lifetimes?: Lifetimes;
  /** The number of root keys that a new root requires. */
  readonly threshold?: number;
  /** Renews the timestamp only, for a daily job that has only this key. */
  readonly onlyTimestamp?: boolean;
  /** Makes a new root: its keys are those of `signers`, and these keys of the root before sign it, too. */
  readonly rotateFrom?: Signers;
}

/** What was signed, by role: the new version. */
export interface Signed {
  readonly versions: Readonly<Partial<Record<Role, number>>>;
  /** Artifacts that are new in the list, as `1-25-2/linux-x64.json`. */
  readonly added: readonly string[];
}

function requireSigners(signers: Signers, role: Role): Signers[Role] {
  if (signers[role].length === 0)
    throw new SigningRefused(`there is no key for ${role}: ${role}.pem or ${role}-1.pem, …`);
  return signers[role];
}

function readRoot(folder: string): { readonly version: number; readonly root: Metadata<Root> } | undefined {
  const newest = readNewest(folder, "root");
  if (newest === undefined) return undefined;
  return { version: newest.version, root: Metadata.fromJSON(MetadataKind.Root, JSON.parse(newest.text)) };
}

/** A signature by a key that the newest root does not name would be refused by every agent. */
function requireKnown(root: Metadata<Root>, role: Role, signers: Signers): Signers[Role] {
  const known = new Set(root.signed.roles[role]?.keyIDs);
  const use = requireSigners(signers, role).filter(({ keyId }) => known.has(keyId));
  if (use.length > 0) return use;
  throw new SigningRefused(
    `no key for ${role} is one that root ${root.signed.version} names: rotate the keys, or take the others`,
  );
}

function makeSignedRoot(version: number, options: SignOptions, lifetimes: Lifetimes): Metadata<Root> {
  const { signers, threshold = 1, rotateFrom, now } = options;
  for (const role of roles) requireSigners(signers, role);
  const { length } = signers.root;
  if (threshold > length) throw new SigningRefused(`${threshold} root keys are required, and there are ${length}`);
  const root = makeRoot(version, now, lifetimes.root, { signers, threshold });
  signAs(root, [...signers.root, ...(rotateFrom?.root ?? [])]);
  return root;
}

interface Unsigned {
  readonly name: string;
  readonly bytes: Buffer;
  readonly path: string;
}

/** Reads the manifests of `artifact build`, as an agent would. */
function takeUnsigned(
  store: string,
): readonly { readonly name: string; readonly bytes: Buffer; readonly path: string }[] {
  const folder = join(store, layout.unsigned);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((revision) =>
    readdirSync(join(folder, revision)).map((file) => {
      const path = join(folder, revision, file);
      const bytes = readFileSync(path);
      const read = readManifest(bytes, { revision, platform: file.replace(/\.json$/, "") });
      if ("refusal" in read) throw new SigningRefused(`${path} is not signed: ${JSON.stringify(read.refusal)}`);
      for (const { sha256, name } of read.manifest.files) {
        if (!existsSync(join(store, layout.files, sha256)))
          throw new SigningRefused(`${path} names ${name}, which is not in the store`);
      }
      return { name: nameTarget(revision, read.manifest.platform), bytes, path };
    }),
  );
}

function readTargets(folder: string): { readonly version: number; readonly targets: Map<string, Target> } {
  const newest = readNewest(folder, "targets");
  if (newest === undefined) return { version: 0, targets: new Map() };
  const { signed } = Metadata.fromJSON(MetadataKind.Targets, JSON.parse(newest.text));
  const targets = Object.entries(signed.targets).map(([name, { length, hashes }]): [string, Target] => {
    return [name, { length, sha256: hashes["sha256"] ?? "" }];
  });
  return { version: newest.version, targets: new Map(targets) };
}

/** Versions only grow: an agent that has seen a higher one refuses a lower one. */
function readTimestampVersion(folder: string): number {
  const path = join(folder, "timestamp.json");
  if (!existsSync(path)) return 0;
  return Metadata.fromJSON(MetadataKind.Timestamp, JSON.parse(readFileSync(path, "utf8"))).signed.version;
}

interface Work {
  readonly store: string;
  readonly folder: string;
  readonly root: Metadata<Root>;
  readonly options: SignOptions;
  readonly lifetimes: Lifetimes;
}

/** The snapshot's version, which the timestamp names. */
function requireSnapshot(folder: string): number {
  const version = readNewest(folder, "snapshot")?.version;
  if (version === undefined) throw new SigningRefused("nothing was signed yet: sign once without --only-timestamp");
  return version;
}

function signTimestamp({ folder, root, options, lifetimes }: Work): number {
  const version = readTimestampVersion(folder) + 1;
  const timestamp = makeTimestamp(version, options.now, lifetimes.timestamp, requireSnapshot(folder));
  writeWhole(join(folder, "timestamp.json"), signAs(timestamp, requireKnown(root, "timestamp", options.signers)));
  return version;
}

/** Adds new manifests to the list; returns the versions and the new names. */
function signList({ store, folder, root, options, lifetimes }: Work, unsigned: readonly Unsigned[]) {
  const { signers, now } = options;
  const { version, targets } = readTargets(folder);
  for (const { name, bytes } of unsigned) {
    const sha256 = hashBytes(bytes);
    const [revision = "", file = ""] = name.split("/");
    writeWhole(join(store, layout.targets, revision, `${sha256}.${file}`), bytes);
    targets.set(name, { length: bytes.byteLength, sha256 });
  }
  const list = makeTargets(version + 1, now, lifetimes.targets, targets);
  writeWhole(join(folder, `${version + 1}.targets.json`), signAs(list, requireKnown(root, "targets", signers)));
  const snapshotVersion = (readNewest(folder, "snapshot")?.version ?? 0) + 1;
  const snapshot = makeSnapshot(snapshotVersion, now, lifetimes.snapshot, version + 1);
  writeWhole(
    join(folder, `${snapshotVersion}.snapshot.json`),
    signAs(snapshot, requireKnown(root, "snapshot", signers)),
  );
  return { targets: version + 1, snapshot: snapshotVersion };
}

function requireVouched(before: Metadata<Root>, next: Metadata<Root>): void {
  try {
    before.verifyDelegate(MetadataKind.Root, next);
  } catch (error) {
    const message = `root ${before.signed.version} does not vouch for it: --old-keys needs enough of its root keys`;
    throw new SigningRefused(message, { cause: error });
  }
}

/** The root in force; a new one where there is none or where keys change. */
function findRoot(
  folder: string,
  options: SignOptions,
  lifetimes: Lifetimes,
): { readonly root: Metadata<Root>; readonly version?: number } {
  const before = readRoot(folder);
  if (before !== undefined && options.rotateFrom === undefined) return { root: before.root };
  const version = (before?.version ?? 0) + 1;
  const root = makeSignedRoot(version, options, lifetimes);
  // Agents would refuse a root that the previous one does not vouch for.
  if (before !== undefined) requireVouched(before.root, root);
  writeWhole(join(folder, `${version}.root.json`), JSON.stringify(root.toJSON()));
  return { root, version };
}

/**
 * Signs what is in a store's folder: new artifacts, and metadata that expires. The timestamp, which readers fetch first, is
 * written last, so that a store is consistent while it is copied or served. Throws `SigningRefused`.
 */
export function signStore(store: string, options: SignOptions): Signed {
  const { lifetimes = defaultLifetimes, onlyTimestamp = false } = options;
  const folder = join(store, layout.metadata);
  if (onlyTimestamp) requireSnapshot(folder);
  const unsigned = onlyTimestamp ? [] : takeUnsigned(store);
  const { root, version } = findRoot(folder, options, lifetimes);
  const work = { store, folder, root, options, lifetimes };
  // All of them before anything is written.
  for (const role of onlyTimestamp ? (["timestamp"] as const) : (["targets", "snapshot", "timestamp"] as const)) {
    requireKnown(root, role, options.signers);
  }
  const versions = {
    ...(version === undefined ? {} : { root: version }),
    ...(onlyTimestamp ? {} : signList(work, unsigned)),
  };
  const timestamp = signTimestamp(work);
  for (const { path } of unsigned) removeFile(path);
  return { versions: { ...versions, timestamp }, added: unsigned.map(({ name }) => name) };
}
