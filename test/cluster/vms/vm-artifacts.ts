import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeStore, type TestStore } from "../../../agent/test-vm.ts";
import type { Envoy } from "../../vm/envoys/find-envoys.ts";
import type { ClusterPrograms } from "../programs/find-programs.ts";
import { launchProgram, startProgram } from "./vm-programs.ts";

/** Artifacts with pilot-agent and an Envoy, in a store of their own. */
export interface VmArtifacts {
  readonly store: TestStore;
  /** Builds and signs the artifact of a revision, whose istiod takes proxies on port `xds`. */
  publish(revision: string, envoy: Envoy, xds: number): void;
}

/** Envoy's hot restart version, which it prints on stderr. */
function readHotRestart({ path }: Envoy): string {
  return spawnSync(path, ["--hot-restart-version"], { encoding: "utf8" }).stderr.trim();
}

export function openArtifacts(folder: string, istio: ClusterPrograms): VmArtifacts {
  const store = makeStore(folder);
  const programs = join(folder, "programs");
  mkdirSync(programs, { recursive: true });
  const write = (name: string, text: string): string => {
    const path = join(programs, name);
    writeFileSync(path, text, { mode: 0o755 });
    return path;
  };
  const files = new Map([
    ["start", write("start", startProgram)],
    ["launch-envoy", write("launch-envoy", launchProgram)],
    ["pilot-agent", istio("pilot-agent").path],
    ["envoy_bootstrap.json", istio("envoy_bootstrap.json").path],
  ]);
  return {
    store,
    publish(revision, envoy, xds) {
      const rules = write(`rules-${revision}`, `#!/bin/sh\nexit 0\n`);
      store.publish(revision, revision, {
        files: new Map([...files, ["envoy", envoy.path], ["rules", rules]]),
        // A name that istiod's certificate has.
        discoveryAddress: `localhost:${xds}`,
        hotRestart: readHotRestart(envoy),
      });
    },
  };
}
