import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

import { type Packed, packAnswer } from "../http/pack-answer.ts";

/** The built page: `page/built` of a checkout or of the package. */
export interface PageFiles {
  readonly html: Packed;
  /** By name, which contains a digest of the content. */
  readonly assets: ReadonlyMap<string, Packed>;
}

const types: ReadonlyMap<string, string> = new Map([
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
]);

/** Scripts and styles come from our own files only, nothing is loaded from elsewhere, and no text becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** An asset's name changes with its content, so browsers cache it for ever. */
const forEver = "public, max-age=31536000, immutable";

function readAsset(folder: URL, name: string): readonly [string, Packed] | undefined {
  const type = types.get(extname(name));
  if (type === undefined) return undefined;
  const body = readFileSync(new URL(name, folder));
  return [name, packAnswer({ status: 200, type, body, headers: { "cache-control": forEver } })];
}

/** Reads the whole page into memory once; undefined where it was not built. */
export function readPage(folder: URL): PageFiles | undefined {
  const index = new URL("index.html", folder);
  if (!existsSync(index)) return undefined;
  const html = packAnswer({
    status: 200,
    type: "text/html; charset=utf-8",
    body: readFileSync(index),
    headers: { "content-security-policy": policy },
  });
  const assets = readdirSync(folder).flatMap((name) => {
    const asset = readAsset(folder, name);
    return asset === undefined ? [] : [asset];
  });
  return { html, assets: new Map(assets) };
}
