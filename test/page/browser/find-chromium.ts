import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { findOnPath } from "../../../scripts/brokers/programs/program.ts";
import { unpackPackageInto, nameSystem, openWorkFolder } from "../../../scripts/brokers/programs/unpack-packages.ts";
import { isAtLeast, readVersion } from "../../../scripts/brokers/programs/version.ts";

/** A browser's binary, and the environment in which its process finds its libraries and fonts. */
export interface Browser {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
}

/** The oldest version that has all features that the page uses. */
const oldest = "120.0.0";
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const packagesFolder = fileURLToPath(new URL("../../../.run/packages", import.meta.url));

/** No browser is installed and none could be unpacked; the message says how to install one. */
export class BrowserMissing extends Error {
  override readonly name = "BrowserMissing";
}

function describe(path: string, env: Readonly<Record<string, string>>): Browser | undefined {
  try {
    const said = execFileSync(path, ["--version"], {
      env: { ...process.env, ...env },
      encoding: "utf8",
      timeout: 30_000,
    });
    const version = readVersion(said);
    return version !== undefined && isAtLeast(version, oldest) ? { path, env, version } : undefined;
  } catch {
    // It does not run here; the next candidate is tried.
    return undefined;
  }
}

function findInstalled(): Browser | undefined {
  const given = process.env["CHROMIUM"];
  const paths =
    given === undefined || given === "" ? names.map((name) => findOnPath(name, process.env["PATH"] ?? "")) : [given];
  for (const path of paths) {
    const found = path === undefined ? undefined : describe(path, {});
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Debian's start script expects the browser below /usr; the program itself runs from any folder. */
function describeUnpacked(root: string): Browser | undefined {
  const path = join(root, "usr/lib/chromium/chromium");
  if (!existsSync(path)) return undefined;
  const libraries = globSync(join(root, "{usr/lib,lib}/*/{,pulseaudio/}"));
  return describe(path, { LD_LIBRARY_PATH: libraries.join(":"), FONTCONFIG_FILE: join(root, "fonts.conf") });
}

/** Uses the machine's and the package's fonts, so that text is measured the same on machines without fonts. */
function writeFontList(root: string): void {
  const folders = [join(root, "usr/share/fonts"), "/usr/share/fonts"].map((folder) => `<dir>${folder}</dir>`);
  const text = `<?xml version="1.0"?>\n<fontconfig>${folders.join("")}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`;
  writeFileSync(join(root, "fonts.conf"), text);
}

async function unpack(root: string): Promise<Browser | undefined> {
  const work = await openWorkFolder(packagesFolder);
  try {
    const fresh = join(work, "chromium-root");
    for (const packageName of ["chromium", "fonts-dejavu-core"]) await unpackPackageInto(fresh, work, packageName);
    writeFontList(fresh);
    rmSync(root, { recursive: true, force: true });
    mkdirSync(dirname(root), { recursive: true });
    renameSync(fresh, root);
    // Written again, as the file contains the folder's path.
    writeFontList(root);
    return describeUnpacked(root);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * A Chromium: the one that `CHROMIUM` names, an installed one, else Debian's package, unpacked without root. Throws
 * `BrowserMissing`.
 */
export async function findChromium(log: (line: string) => void): Promise<Browser> {
  const root = join(packagesFolder, nameSystem(), "chromium");
  const found = findInstalled() ?? describeUnpacked(root);
  if (found !== undefined) return found;
  const advice = "install one (apt-get install chromium), or name its binary: CHROMIUM=/path/to/chromium";
  if (findOnPath("apt-get", process.env["PATH"] ?? "") === undefined)
    throw new BrowserMissing(`no Chromium is here: ${advice}`);
  log("fetching chromium (once, about 120 MB; nothing is installed) ...");
  const unpacked = await unpack(root).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new BrowserMissing(`Debian's Chromium could not be fetched: ${why}\n${advice}`, { cause: error });
  });
  if (unpacked === undefined) throw new BrowserMissing(`Debian's Chromium does not run here: ${advice}`);
  return unpacked;
}
