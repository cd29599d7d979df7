import { join } from "node:path";

import { findOnPath } from "../../../scripts/brokers/programs/program.ts";
import { buildModule } from "./build-module.ts";
import { type GoModule, locateCache } from "./modules.ts";

/** A program's file, and its first arguments: several programs share one file, and the first argument names the program. */
export interface ClusterProgram {
  readonly path: string;
  readonly prefix: readonly string[];
}

export type ClusterPrograms = (name: string) => ClusterProgram;

interface Finding {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

/** Folders with compiled programs: ours, and the one that envtest uses for etcd, kube-apiserver and kubectl. */
function listFolders({ env }: Finding): readonly string[] {
  const named = [env["MESHROLL_CLUSTER_ASSETS"], env["KUBEBUILDER_ASSETS"]];
  return named.filter((folder): folder is string => folder !== undefined && folder !== "");
}

/** The module's programs: those in the folders that the environment names, else compiled here. Throws `ProgramsMissing`. */
export async function findPrograms(module: GoModule, finding: Finding): Promise<ClusterPrograms> {
  const ready = new Map<string, ClusterProgram>();
  for (const name of Object.keys(module.programs)) {
    const path = findOnPath(name, "", listFolders(finding));
    if (path !== undefined) ready.set(name, { path, prefix: [] });
  }
  const isWhole = Object.keys(module.programs).every((name) => ready.has(name));
  const { env, log } = finding;
  const folder = isWhole ? "" : await buildModule(module, { cache: locateCache(env), path: env["PATH"] ?? "", log });
  return (name) => {
    const file = module.programs[name];
    if (file === undefined) throw new Error(`no program ${name} in module ${module.name}`);
    return ready.get(name) ?? { path: join(folder, file), prefix: file === name ? [] : [name] };
  };
}
