import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findOnPath } from "../../scripts/brokers/programs/program.ts";
import { keyModule } from "../cluster/programs/modules.ts";
import { openGo } from "../go/go-tools.ts";

interface Tool {
  readonly name: string;
  readonly package: string;
  /** What the compiled file is called: the last part of the package without its version. */
  readonly file: string;
  readonly megabytes: number;
}

/** The real tools that `mutate` is built into, of the releases that `modules/` require. Helm is not among them yet. */
const tools: readonly Tool[] = [
  { name: "kustomize", package: "sigs.k8s.io/kustomize/kustomize/v5", file: "kustomize", megabytes: 1000 },
];

interface Finding {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

/** The variable by which a test finds a tool; set before, it names one that is there already. */
export function nameVariable(tool: string): string {
  return `MESHROLL_TEST_${tool.toUpperCase()}`;
}

/** Outside the checkout, next to what the tests of the control plane compile. */
function locateCache(env: NodeJS.ProcessEnv): string {
  const { MESHROLL_TOOLS_CACHE: own = "", XDG_CACHE_HOME: shared = "" } = env;
  if (own !== "") return own;
  return join(shared === "" ? join(homedir(), ".cache") : shared, "meshroll", "tools");
}

/** What of our module decides what comes out. */
function describeSources({ name, package: path }: Tool) {
  const folder = fileURLToPath(new URL(`modules/${name}`, import.meta.url));
  return { folder, sources: ["go.mod", "go.sum"], packages: [path], stamps: {} };
}

/** The compiled file, made once for all checkouts under the hash of what it was made of. Throws `ProgramsMissing`. */
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
    // An empty program as the last file: a folder that lacks it was never finished.
    writeFileSync(join(work, "built"), "", { mode: 0o755 });
    rmSync(done, { recursive: true, force: true });
    renameSync(work, done);
  } finally {
    stop();
    rmSync(work, { recursive: true, force: true });
  }
  return join(done, tool.file);
}

/** The path of each tool by its name: one that the environment names, else compiled here. Throws `ProgramsMissing`. */
export async function findTools(finding: Finding): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const tool of tools) {
    const given = finding.env[nameVariable(tool.name)] ?? "";
    found.set(tool.name, given === "" ? await buildTool(tool, finding) : given);
  }
  return found;
}
