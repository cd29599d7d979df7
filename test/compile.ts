import { findTools } from "./mutate/tools.ts";
import { findGitea } from "./forge/programs/build-gitea.ts";
import { findPrograms } from "./cluster/programs/find-programs.ts";
import { istioModule, kubeModule } from "./cluster/programs/modules.ts";

// `npm run test:compile`: what test:cluster, test:mutate and test:forge test against, compiled where it is not there yet. CI runs it next
// to other steps. What cannot be had is for those suites to say: this one names it and ends with 0.

const options = { env: process.env, log: (line: string) => void process.stderr.write(`meshroll: ${line}\n`) };
const programs: readonly (readonly [name: string, find: () => Promise<unknown>])[] = [
  ["kube", async () => findPrograms(kubeModule, options)],
  ["istio", async () => findPrograms(istioModule, options)],
  ["kustomize", async () => findTools(options)],
  ["Gitea", async () => findGitea(options)],
];

for (const [name, find] of programs) {
  try {
    await find();
    options.log(`${name} is there`);
  } catch (error) {
    options.log(`${name} cannot be had: ${error instanceof Error ? error.message : String(error)}`);
  }
}
