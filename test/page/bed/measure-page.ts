import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const built = new URL("../../../page/built/", import.meta.url);

/** Bytes of everything that a browser loads before it asks for data, gzipped. */
export function measurePage(): number {
  const files = readdirSync(built).filter((name) => /\.(?:html|js|css|svg)$/.test(name));
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, built)), { level: 9 }).length, 0);
}
