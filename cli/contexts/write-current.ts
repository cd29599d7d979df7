import { chmodSync, renameSync, statSync, writeFileSync } from "node:fs";

import { changeCurrent } from "./change-current.ts";
import type { LoadedConfig } from "./load-config.ts";

/** Writes the current context atomically. */
export function writeCurrent(loaded: LoadedConfig, name: string): void {
  const temporary = `${loaded.path}.${process.pid}.tmp`;
  writeFileSync(temporary, changeCurrent(loaded, name), { mode: 0o600 });
  chmodSync(temporary, statSync(loaded.path).mode & 0o777);
  renameSync(temporary, loaded.path);
}
