import type { RepositoryOptions } from "../read/repository.ts";
import { readLocalEvaluation } from "../read/status-source.ts";
import { type BusOptions, findBus } from "../read/with-bus.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { attempt, type CheckResult, pass, skip, warn } from "./check.ts";

const check = { code: "MR9070", area: "k8s" } as const;

/** Doctor's kubeconfig is for checking rights; what runs is read from the bus. */
function pickBusOptions({ repo, nats, installation }: RepositoryOptions & BusOptions): RepositoryOptions & BusOptions {
  return {
    ...(repo === undefined ? {} : { repo }),
    ...(nats === undefined ? {} : { nats }),
    ...(installation === undefined ? {} : { installation }),
  };
}

/**
 * Pods of managed workloads have the sidecar of a revision that their cluster serves, and no proxy is more than one minor from its istiod,
 * by the inventory.
 */
export async function checkPods(
  options: RepositoryOptions & BusOptions,
  terminal: Terminal,
): Promise<readonly CheckResult[]> {
  const noBus = "what pods run needs NATS: executors say it there";
  if (findBus(options, terminal) === undefined) return [skip(check, noBus, "give --nats URL or set MESHROLL_NATS_URL")];
  return attempt(check, async () => {
    const { snapshot, evaluation } = await readLocalEvaluation(pickBusOptions(options), terminal);
    if (snapshot.clusters.size === 0)
      return [skip(check, "what pods run needs an executor: none has published a cluster")];
    const { describeSkewed, describeUnserved } = await import("#libs/plan");
    return [...snapshot.clusters.values()].map(({ name, facts }) => {
      const index = evaluation.judged.get(name);
      const said = index === undefined ? [] : [...describeUnserved(index, facts), ...describeSkewed(index, facts)];
      const [first, ...others] = said;
      if (first === undefined)
        return pass(check, `${name}: every pod of a managed workload has a sidecar that is served`);
      const more = others.length === 0 ? "" : `. ${others.join(". ")}`;
      return warn(check, `${name}: ${first}${more}`, [{ command: "meshroll get workloads -o wide" }]);
    });
  });
}
