import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Manifest } from "#libs/artifact";

/** The iptables rules of a slot, changed by its own program, the only one that knows what it added. */
export interface RulesProgram {
  /** Throws when the program fails: `up` is then not in force, or `down` not certain. */
  run(verb: "up" | "down", slot: { readonly folder: string; readonly manifest: Manifest }): Promise<void>;
}

const limitMs = 15_000;
const run = promisify(execFile);

/** Runs the file that the manifest names. `down` has to succeed where nothing is in force; a slot without one has no rules. */
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
        timeout: limitMs,
        killSignal: "SIGKILL",
        maxBuffer: 1024 * 1024,
      });
    },
  };
}
