import { readFileSync } from "node:fs";

/** Set by the bundle of one file, which has no package.json next to it. */
declare const MESHROLL_AGENT_VERSION: string | undefined;

export function readVersion(): string {
  if (typeof MESHROLL_AGENT_VERSION === "string") return MESHROLL_AGENT_VERSION;
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
