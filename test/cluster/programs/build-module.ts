import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { findOnPath } from "../../../scripts/brokers/programs/program.ts";
import { openGo } from "../../../scripts/go/go-tools.ts";
import { type GoModule, keyModule } from "./modules.ts";

interface Compiling {
  readonly cache: string;
  readonly path: string;
  readonly log: (line: string) => void;
}

/** The folder with the module's programs, compiled once for all checkouts. Throws `ProgramsMissing`. */
export async function buildModule(module: GoModule, { cache, path, log }: Compiling): Promise<string> {
  const done = join(cache, `${module.name}-${keyModule(module)}`);
  if (findOnPath("built", "", [done]) !== undefined) return done;
  const names = { cacheVariable: "MESHROLL_CLUSTER_CACHE", ready: "MESHROLL_CLUSTER_ASSETS=FOLDER" };
  const go = openGo({ what: "the control plane", cache, path, log, ...names });
  go.requireDisk(module.cold.megabytes);
  log(`compiling ${module.name} into ${cache} (once; ${module.cold.minutes} min on two idle cores) ...`);
  const work = `${done}.${process.pid}`;
  const stop = go.reportMinutes();
  const stamps = Object.entries(module.stamps).map(([name, value]) => `-X ${name}=${value}`);
  const flags = ["build", "-trimpath", "-ldflags", ["-s", "-w", ...stamps].join(" "), "-o", `${work}/`];
  try {
    mkdirSync(work, { recursive: true });
    await go.run([...flags, ...module.packages], module.folder, { CGO_ENABLED: "0" });
    for (const [name, { module: of, path: from }] of Object.entries(module.copies ?? {})) {
      const source = await go.run(["list", "-m", "-f", "{{.Dir}}", of], module.folder);
      copyFileSync(join(source.trim(), from), join(work, name));
      // As the programs, so that it is found where they are found.
      chmodSync(join(work, name), 0o755);
    }
    // Written last: a folder without this file is incomplete.
    writeFileSync(join(work, "built"), "", { mode: 0o755 });
    rmSync(done, { recursive: true, force: true });
    renameSync(work, done);
  } finally {
    stop();
    rmSync(work, { recursive: true, force: true });
  }
  return done;
}
