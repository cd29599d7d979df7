import { execFileSync } from "node:child_process";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { findTools } from "../mutate/tools.ts";
import { EnvoysMissing, findEnvoys } from "../vm/envoys/find-envoys.ts";
import { findPrograms } from "./programs/find-programs.ts";
import { argoModule, istioModule, kubeModule } from "./programs/modules.ts";

// `npm run test:cluster`: the suite of `libs/kube`, rights and kubeconfigs against a real control plane; `npm run
// test:mesh`: the executor there, with two real istiods and Argo Rollouts. Programs are compiled before the tests, where they are missing.
// Exits with 3 (skipped: neither passed nor failed) where they cannot be compiled.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

/** The versions of Kubernetes and istiod, as their programs print them. */
async function describeBed(): Promise<string> {
  const kube = (await findPrograms(kubeModule, { env: process.env, log }))("kubectl");
  const pilot = (await findPrograms(istioModule, { env: process.env, log }))("pilot-discovery");
  const read = (path: string, ...args: readonly string[]) => execFileSync(path, args, { encoding: "utf8" }).trim();
  const kubernetes = read(kube.path, ...kube.prefix, "version", "--client", "-o", "json");
  const { clientVersion } = JSON.parse(kubernetes) as { clientVersion: { gitVersion: string } };
  return `Kubernetes ${clientVersion.gitVersion}, istiod ${read(pilot.path, ...pilot.prefix, "version", "--short")}`;
}

/** The version of Argo Rollouts, as its controller prints it. */
async function describeArgo(): Promise<string> {
  const { path, prefix } = (await findPrograms(argoModule, { env: process.env, log }))("rollouts-controller");
  const printed = execFileSync(path, [...prefix, "--version"], { encoding: "utf8" });
  return `Argo Rollouts ${/v\d+\.\d+\.\d+/u.exec(printed)?.[0] ?? printed.trim()}`;
}

try {
  log(`tested against ${await describeBed()}`);
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  log(`SKIPPED: nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
// The folder of the suite, or the named files of it.
const [suite = "", ...named] = process.argv.splice(2);
process.argv.push(...(named.length === 0 ? [`test/cluster/${suite}/`] : named));
/** Leaves these tests out, and says so, where the programs that they run cannot be had. */
async function requirePrograms(
  tests: readonly string[],
  Missing: typeof EnvoysMissing | typeof ProgramsMissing,
  find: () => Promise<string> | string,
): Promise<void> {
  try {
    log(await find());
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    log(`SKIPPED: ${tests.join(", ")} is not run\n${error.message}`);
    process.argv.push(...tests.flatMap((each) => ["--exclude", each]));
  }
}

if (suite === "mesh") {
  await requirePrograms(["test/cluster/mesh/vms.test.ts"], EnvoysMissing, () => {
    return `VMs run Envoy ${findEnvoys(process.env, log)
      .map(({ version }) => version)
      .join(" and ")}`;
  });
  await requirePrograms(["test/cluster/mesh/argo-rollouts.test.ts"], ProgramsMissing, async () => {
    return `Rollouts run under ${await describeArgo()}`;
  });
  const byHelm = ["test/cluster/mesh/owners.test.ts", "test/cluster/mesh/retire.test.ts"];
  await requirePrograms(byHelm, ProgramsMissing, async () => {
    const helms = await findTools({ env: process.env, log }, ["helm3", "helm4"]);
    const versions = [...helms.values()].map((path) =>
      execFileSync(path, ["version", "--short"], { encoding: "utf8" }),
    );
    return `owners deploy by Helm ${versions.map((each) => each.trim()).join(" and ")}`;
  });
}
process.argv.push("--config", "test/cluster/vitest.config.ts");
await import("../run.ts");
