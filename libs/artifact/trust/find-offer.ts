import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ArtifactRefusal } from "#libs/wording";
import { Updater } from "tuf-js";
import { ExpiredMetadataError } from "tuf-js/dist/error.js";

import { NotInStore } from "../errors.ts";
import { layout, nameTarget } from "../layout.ts";
import { limits } from "../limits.ts";
import { isRevisionName, readManifest } from "../manifest/read-manifest.ts";
import { hashBytes } from "../metadata/store-folder.ts";
import type { ArtifactStore, Offer } from "../port.ts";
import { createStoreFetcher, fetcherBase, type StoreFetcher } from "./store-fetcher.ts";
import type { Trust } from "./trust.ts";

const roles = ["root", "timestamp", "snapshot", "targets"] as const;

/** The result of one look into the store. */
export interface Found {
  /** To be stored with any offer, also a refusal. */
  readonly trust: Trust;
  readonly offer: Offer;
}

export interface Wanted {
  readonly revision: string;
  readonly platform: string;
}

async function readBack(folder: string, before: Trust): Promise<Trust> {
  const texts = await Promise.all(
    roles.map(async (role) => readFile(join(folder, `${role}.json`), "utf8").catch(() => undefined)),
  );
  const [root = before.root, ...rest] = texts;
  const kept = rest.flatMap((text, index) => (text === undefined ? [] : [[roles[index + 1], text]]));
  return { root, ...Object.fromEntries(kept) } as Trust;
}

function explain(error: unknown): ArtifactRefusal {
  const { message } = error as Error;
  if (error instanceof ExpiredMetadataError) return { code: "MetadataExpired", why: message };
  return { code: "MetadataRefused", why: message };
}

/** Names of all signed artifacts. */
export function listTargets({ targets }: Trust): readonly string[] {
  if (targets === undefined) return [];
  const { signed } = JSON.parse(targets) as {
    readonly signed: { readonly targets: Readonly<Record<string, unknown>> };
  };
  return Object.keys(signed.targets).toSorted();
}

async function readTarget(
  updater: Updater,
  { revision, platform }: Wanted,
  folder: string,
  trust: () => Promise<Trust>,
): Promise<Offer> {
  if (!isRevisionName(revision)) return { kind: "refused", refusal: { code: "RevisionNotAName", revision } };
  const target = await updater.getTargetInfo(nameTarget(revision, platform));
  if (target === undefined) {
    const offered = listTargets(await trust()).slice(0, 20);
    return { kind: "refused", refusal: { code: "NotOffered", revision, platform, offered } };
  }
  if (target.length > limits.manifestBytes) {
    return {
      kind: "refused",
      refusal: {
        code: "ManifestUnreadable",
        revision,
        platform,
        why: `it is longer than ${limits.manifestBytes} bytes`,
      },
    };
  }
  const bytes = await readFile(
    await updater.downloadTarget(target, join(folder, "manifest"), `${fetcherBase}${layout.targets}/`),
  );
  const read = readManifest(bytes, { revision, platform });
  if ("refusal" in read) return { kind: "refused", refusal: read.refusal };
  return { kind: "artifact", artifact: { digest: hashBytes(bytes), manifest: read.manifest, bytes } };
}

function judgeFault(error: unknown, { fault }: StoreFetcher): Offer {
  if (fault.unavailable !== undefined) return { kind: "unavailable", why: fault.unavailable.message };
  // The store may be in the middle of a release: what the newest metadata names may follow.
  if (error instanceof NotInStore) return { kind: "unavailable", why: error.message };
  return { kind: "refused", refusal: explain(error) };
}

/**
 * Finds what a store offers by the workflow of The Update Framework: newer roots, then timestamp, snapshot and targets, each
 * signed, valid and not older than before; then the manifest by its hash. Only what passes all checks is offered.
 */
export async function findOffer(
  store: ArtifactStore,
  before: Trust,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "meshroll-trust-"));
  try {
    const metadataDir = join(folder, "metadata");
    await mkdir(metadataDir);
    for (const role of roles) {
      const text = before[role];
      if (text !== undefined) await writeFile(join(metadataDir, `${role}.json`), text);
    }
    const fetcher = createStoreFetcher(store, folder, signal);
    const trust = async (): Promise<Trust> => readBack(metadataDir, before);
    try {
      const updater = new Updater({ metadataDir, metadataBaseUrl: `${fetcherBase}${layout.metadata}/`, fetcher });
      await updater.refresh();
      const offer = await readTarget(updater, wanted, folder, trust);
      return { trust: await trust(), offer };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return { trust: await trust(), offer: judgeFault(error, fetcher) };
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
