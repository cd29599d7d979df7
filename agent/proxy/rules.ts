import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Manifest } from "#libs/artifact";

/** The iptables rules of a slot, changed by the slot's own program, which alone knows what it added. */
export interface RulesProgram {
  /** Throws when the program fails: after `up` the rules may be incomplete, after `down` they may remain. */
  run(verb: "up" | "down", slot: { readonly folder: string; readonly manifest: Manifest }): Promise<void>;
}

/** Ms for one call, after which the program is ended. A switch calls twice and its way back twice, within a minute. @internal */
export const rulesMs = 8_000;
const run = promisify(execFile);

/** Runs the file that the manifest names. `down` must succeed where there are no rules; a slot without the file has none. */
export function openRules(root: string): RulesProgram {
  return {
    async run(verb, { folder, manifest }) {
      const { rules, revision, discoveryAddress } = manifest;
      if (rules === undefined) return;
      const env = {
        PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
        MESHROLL_SLOT: folder,
        MESHROLL_ROOT: root,
        MESHROLL_REVISION: revision,
        MESHROLL_DISCOVERY_ADDRESS: discoveryAddress,
      };
      await run(join(folder, rules), [verb], {
        env,
        cwd: "/",
        timeout: rulesMs,
        killSignal: "SIGKILL",
        maxBuffer: 1024 * 1024,
      });
    },
  };
}
