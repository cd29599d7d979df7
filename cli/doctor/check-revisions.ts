import { lookUp } from "#libs/input";
import type { ClusterFacts } from "#libs/fleet";
import type { Spec } from "#libs/plan";

import { listClustersOnBus } from "../read/read-clusters.ts";
import { readSpec } from "../read/read-spec.ts";
import { type RepositoryOptions, withRepository } from "../read/repository.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type BusOptions, findBus, withBus } from "../read/with-bus.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

const check = { code: "MR9064", area: "k8s" } as const;

/** Revisions that main sends anybody to, now or by a campaign. */
function listWanted({ rollouts, campaigns }: Spec): readonly string[] {
  const used = rollouts.buckets.flatMap(({ shares }) => shares.filter(({ weight }) => weight > 0));
  return [
    ...new Set([...used.map(({ revision }) => revision), ...[...campaigns.values()].map(({ target }) => target)]),
  ];
}

function findFault({ revisions, tags }: ClusterFacts, revision: string): string | undefined {
  const facts = revisions.find(({ name }) => name === (lookUp(tags, revision) ?? revision));
  if (facts === undefined || !facts.webhook) return `revision ${revision} has no injector webhook`;
  return facts.istiod === "ready" ? undefined : `istiod of revision ${revision} is ${facts.istiod}`;
}

function judge(facts: ClusterFacts, wanted: readonly string[]): CheckResult {
  const faults = wanted.flatMap((revision) => {
    const fault = findFault(facts, revision);
    return fault === undefined ? [] : [{ revision, fault }];
  });
  const [first] = faults;
  if (first === undefined) return pass(check, `${facts.cluster}: ${wanted.join(", ")} can be injected`);
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  const fix = `istioctl --context ${facts.cluster} install --revision ${first.revision}`;
  return fail(check, `${facts.cluster}: ${first.fault}${more}`, fix);
}

const noExecutor = "what is installed needs an executor: none has published a cluster";

/** Every revision that main names is there in every cluster that an executor has published. */
export async function checkRevisions(
  options: RepositoryOptions & BusOptions,
  terminal: Terminal,
): Promise<readonly CheckResult[]> {
  const bus = findBus(options, terminal);
  const noBus = "what is installed needs NATS: executors say it there";
  if (bus === undefined) return [skip(check, noBus, "give --nats URL or set MESHROLL_NATS_URL")];
  return attempt(check, async () => {
    const clusters = await withBus(bus, listClustersOnBus);
    if (clusters.size === 0) return [skip(check, noExecutor, "start one: docs/how-to/run-against-your-cluster.md")];
    return withRepository(options, terminal, async ({ repository, url: origin }) => {
      const { main } = await repository.fetch();
      const wanted = listWanted(await readSpec(repository, origin, main));
      return [...clusters.values()].map((facts) => judge(facts, wanted));
    });
  });
}
