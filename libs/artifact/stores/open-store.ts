import { fileURLToPath } from "node:url";

import type { ArtifactStore } from "../port.ts";
import { openFileStore } from "./file-store.ts";
import { type HttpStoreOptions, openHttpStore } from "./http-store.ts";

/** A store by its address: `https://…`, `file:///…` or a path. Throws a `TypeError` for another one. */
export function openStore(address: string, options: HttpStoreOptions = {}): ArtifactStore {
  if (address.startsWith("file:")) return openFileStore(fileURLToPath(address));
  return /^[a-z][a-z0-9+.-]*:/u.test(address) ? openHttpStore(address, options) : openFileStore(address);
}
