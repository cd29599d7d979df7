import { cleanLine } from "#libs/input";

import type { CasesOf } from "../cases.ts";
import { type Text, writeText } from "../text.ts";

interface InManifest {
  readonly revision: string;
  readonly platform: string;
}

function nameManifest({ revision, platform }: InManifest): string {
  return `the artifact of ${cleanLine(revision, 80)} for ${cleanLine(platform, 40)}`;
}

/** Why an artifact is not installed. */
const wordings = {
  MetadataExpired: ({ why }: { readonly why: string }) =>
    `the store's signed metadata has expired: ${why}; sign it again with meshroll artifact sign, or look at this machine's clock`,
  MetadataRefused: ({ why }: { readonly why: string }) =>
    `the store's metadata is refused: ${cleanLine(why, 200)}; for details run meshroll artifact verify where it is signed`,
  /** `offered`: what the store has. */
  NotOffered: ({ offered, ...manifest }: InManifest & { readonly offered: readonly string[] }) =>
    `${nameManifest(manifest)} is not in the signed list (${offered.length === 0 ? "which is empty" : offered.join(", ")})`,
  RevisionNotAName: ({ revision }: { readonly revision: string }) =>
    `"${cleanLine(revision, 80)}" is not the name of a revision: letters, digits and - . _, at most 63`,
  ManifestUnreadable: ({ why, ...manifest }: InManifest & { readonly why: string }) =>
    `${nameManifest(manifest)} has a manifest that cannot be used: ${cleanLine(why, 300)}`,
  ManifestOfAnother: ({ says, ...manifest }: InManifest & { readonly says: string }) =>
    `${nameManifest(manifest)} has the manifest of ${cleanLine(says, 120)}`,
  FileTooLong: ({ name, length }: { readonly name: string; readonly length: number }) =>
    `${name} is longer in the store than the ${length} bytes that were signed`,
  FileTooShort: ({ name, length, got }: { readonly name: string; readonly length: number; readonly got: number }) =>
    `${name} ends after ${got} of ${length} bytes`,
  FileAltered: ({ name }: { readonly name: string }) =>
    `${name} has other bytes in the store than those that were signed`,
  FileMissing: ({ name }: { readonly name: string }) => `${name} is signed, but not in the store`,
};

/** Why an artifact is not installed. */
export type ArtifactRefusal = CasesOf<typeof wordings>;

export function renderArtifactRefusal(refusal: ArtifactRefusal): Text {
  return writeText((wordings[refusal.code] as (refusal: ArtifactRefusal) => string)(refusal));
}
