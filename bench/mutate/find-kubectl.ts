import { type ClusterProgram, findPrograms } from "../../test/cluster/programs/find-programs.ts";
import { kubeModule } from "../../test/cluster/programs/modules.ts";
import { ProgramsMissing } from "../../scripts/go/go-tools.ts";

/** The kubectl of the control plane that the tests compile, for the machine's own may be of any age. Says why there is none. */
export async function findKubectl(): Promise<ClusterProgram | undefined> {
  const log = (line: string) => console.error(`bench: mutate: ${line}`);
  try {
    const find = await findPrograms(kubeModule, { env: process.env, log });
    return find("kubectl");
  } catch (error) {
    if (!(error instanceof ProgramsMissing)) throw error;
    log(`without kubectl, as it cannot be had here: ${error.message}`);
    return undefined;
  }
}
