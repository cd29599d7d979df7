import type { ArtifactRefusal } from "#libs/wording";
import { z } from "zod";

import { limits } from "../limits.ts";
import type { Manifest } from "../port.ts";

/** A Kubernetes label value, as in `istio.io/rev`. It becomes part of a path. */
const revisionForm = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const platformForm = /^[a-z0-9]+-[a-z0-9]+$/;
/** A file name without a path, hidden names, or names that differ in case only. */
const fileForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const versionForm = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/;
const addressForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9a-fA-F:]+\]):\d{1,5}$/;

export function isRevisionName(text: string): boolean {
  return revisionForm.test(text) && !text.includes("..");
}

const fileName = z.string().regex(fileForm, "is not a plain file name of small letters, digits and - . _");

// Strict: unknown fields, such as a link, an owner or a mode, are refused.
const schema = z
  .strictObject({
    formatVersion: z.literal(1),
    revision: z.string().refine(isRevisionName, "is not the name of a revision"),
    platform: z.string().regex(platformForm, "is not a platform, such as linux-x64"),
    discoveryAddress: z.string().regex(addressForm, "is not a host:port"),
    start: fileName,
    rules: fileName.optional(),
    hotRestart: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/)
      .optional(),
    minimumAgent: z.string().regex(versionForm, "is not a version such as 1.2.0").optional(),
    after: z.array(z.string().refine(isRevisionName, "is not the name of a revision")).max(64).optional(),
    files: z
      .array(
        z.strictObject({
          name: fileName,
          sha256: z.string().regex(/^[0-9a-f]{64}$/, "is not a sha256"),
          length: z.int().min(0).max(limits.artifactBytes),
          executable: z.boolean(),
        }),
      )
      .min(1)
      .max(limits.files, `has more than ${limits.files} files`),
  })
  .superRefine(({ files, start, rules }, context) => {
    const complain = (message: string) => context.addIssue({ code: "custom", message });
    if (new Set(files.map(({ name }) => name)).size !== files.length) complain("names a file twice");
    if (files.some(({ name }) => name === manifestName)) complain(`has a file ${manifestName}, which is its own list`);
    if (files.reduce((sum, { length }) => sum + length, 0) > limits.artifactBytes) complain("is too large");
    for (const program of rules === undefined ? [start] : [start, rules]) {
      if (!files.some(({ name, executable }) => name === program && executable)) {
        complain(`${program} is not among its executable files`);
      }
    }
  });

/** The manifest's name next to its files. */
export const manifestName = "manifest.json";

type Read = { readonly manifest: Manifest } | { readonly refusal: ArtifactRefusal };

/** Reads the manifest signed for this revision and platform. A manifest of another pair is refused. */
export function readManifest(
  bytes: Uint8Array,
  wanted: { readonly revision: string; readonly platform: string },
): Read {
  const { revision, platform } = wanted;
  const refuse = (why: string): Read => ({ refusal: { code: "ManifestUnreadable", revision, platform, why } });
  if (bytes.byteLength > limits.manifestBytes) return refuse(`it is longer than ${limits.manifestBytes} bytes`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return refuse("it is no JSON");
  }
  const read = schema.safeParse(parsed);
  if (!read.success) {
    const [first] = read.error.issues;
    return refuse(`${first?.path.map(String).join(".") ?? ""} ${first?.message ?? "is wrong"}`.trim());
  }
  const manifest = read.data as Manifest;
  if (manifest.revision !== revision || manifest.platform !== platform) {
    return {
      refusal: { code: "ManifestOfAnother", revision, platform, says: `${manifest.revision} for ${manifest.platform}` },
    };
  }
  return { manifest };
}
