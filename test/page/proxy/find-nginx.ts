import { existsSync, globSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { findOnPath } from "../../../scripts/brokers/programs/program.ts";
import { nameSystem, openWorkFolder, unpackPackageInto } from "../../../scripts/brokers/programs/unpack-packages.ts";

/** nginx's binary, and the environment in which it finds its libraries. */
export interface Nginx {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const packagesFolder = fileURLToPath(new URL("../../../.run/packages", import.meta.url));

function describeUnpacked(root: string): Nginx | undefined {
  const path = join(root, "usr/sbin/nginx");
  if (!existsSync(path)) return undefined;
  return { path, env: { LD_LIBRARY_PATH: globSync(join(root, "{usr/lib,lib}/*/")).join(":") } };
}

/** An nginx that is installed, else Debian's package, unpacked without root; undefined where neither can be had. */
export async function findNginx(): Promise<Nginx | undefined> {
  const path = process.env["PATH"] ?? "";
  const installed = findOnPath("nginx", path) ?? findOnPath("nginx", "/usr/sbin");
  if (installed !== undefined) return { path: installed, env: {} };
  const root = join(packagesFolder, nameSystem(), "nginx");
  const known = describeUnpacked(root);
  if (known !== undefined || findOnPath("apt-get", path) === undefined) return known;
  const work = await openWorkFolder(packagesFolder);
  try {
    const fresh = join(work, "nginx-root");
    await unpackPackageInto(fresh, work, "nginx");
    rmSync(root, { recursive: true, force: true });
    mkdirSync(dirname(root), { recursive: true });
    renameSync(fresh, root);
    return describeUnpacked(root);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
