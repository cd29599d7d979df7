import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findOnPath } from "../../scripts/brokers/programs/program.ts";
import { keyModule } from "../cluster/programs/modules.ts";
import { openGo } from "../../scripts/go/go-tools.ts";

interface Tool {
  readonly name: string;
  readonly package: string;
  /** Name of the compiled file: the last part of the package's path without its version. */
  readonly file: string;
  readonly megabytes: number;
}

/** The real tools that run `mutate`, in the versions that `modules/` require. */
const tools: readonly Tool[] = [
  { name: "kustomize", package: "sigs.k8s.io/kustomize/kustomize/v5", file: "kustomize", megabytes: 1000 },
  { name: "helm3", package: "helm.sh/helm/v3/cmd/helm", file: "helm", megabytes: 2000 },
  { name: "helm4", package: "helm.sh/helm/v4/cmd/helm", file: "helm", megabytes: 2000 },
];

interface Finding {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

/** Environment variable with a tool's path; when it is set already, that program is used. */
export function nameVariable(tool: string): string {
  return `MESHROLL_TEST_${tool.toUpperCase().replaceAll("-", "_")}`;
}

/** A folder outside the checkout, for all clones. */
export function locateCache(env: NodeJS.ProcessEnv): string {
  const { MESHROLL_TOOLS_CACHE: own = "", XDG_CACHE_HOME: shared = "" } = env;
  if (own !== "") return own;
  return join(shared === "" ? join(homedir(), ".cache") : shared, "meshroll", "tools");
}

/** The files of our module that determine the result. */
function describeSources({ name, package: path }: Tool) {
  const folder = fileURLToPath(new URL(`modules/${name}`, import.meta.url));
  return { folder, sources: ["go.mod", "go.sum"], packages: [path], stamps: {} };
}

/** Path of the compiled tool, compiled once for all checkouts under a hash of its sources. Throws `ProgramsMissing`. */
async function buildTool(tool: Tool, { env, log }: Finding): Promise<string> {
  const sources = describeSources(tool);
  const cache = locateCache(env);
  const done = join(cache, `${tool.name}-${keyModule(sources)}`);
  if (findOnPath("built", "", [done]) !== undefined) return join(done, tool.file);
  const ready = `${nameVariable(tool.name)}=PROGRAM`;
  const go = openGo({
    what: tool.name,
    cache,
    cacheVariable: "MESHROLL_TOOLS_CACHE",
    path: env["PATH"] ?? "",
    log,
    ready,
  });
  go.requireDisk(tool.megabytes);
  log(`compiling ${tool.name} into ${cache} (once) ...`);
  const work = `${done}.${process.pid}`;
  const stop = go.reportMinutes();
  try {
    mkdirSync(work, { recursive: true });
    const flags = ["build", "-trimpath", "-ldflags", "-s -w", "-o", `${work}/`];
    await go.run([...flags, tool.package], sources.folder, { CGO_ENABLED: "0" });
    // Written last: a folder without this file is incomplete.
    writeFileSync(join(work, "built"), "", { mode: 0o755 });
    rmSync(done, { recursive: true, force: true });
    renameSync(work, done);
  } finally {
    stop();
    rmSync(work, { recursive: true, force: true });
  }
  return join(done, tool.file);
}

/** The path of each of these tools by its name: the one in the environment, else compiled here. Throws `ProgramsMissing`. */
export async function findTools(
  finding: Finding,
  names: readonly string[] = tools.map(({ name }) => name),
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const tool of tools.filter(({ name }) => names.includes(name))) {
    const given = finding.env[nameVariable(tool.name)] ?? "";
    found.set(tool.name, given === "" ? await buildTool(tool, finding) : given);
  }
  return found;
}
