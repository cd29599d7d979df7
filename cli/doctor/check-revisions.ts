import type { ClusterFacts } from "#libs/fleet";
import { findRevisionObstacle, type Spec } from "#libs/plan";
import { printText, renderReason } from "#libs/wording";

import { readFleet } from "../read/fleet-source.ts";
import { listClustersOnBus } from "../read/bus/read-clusters.ts";
import { readSpec } from "../read/read-spec.ts";
import { type RepositoryOptions, withRepository } from "../read/repository.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type BusOptions, findBus, withBus } from "../read/with-bus.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";
import { judgePatterns } from "./check-patterns.ts";

const check = { code: "MR9064", area: "k8s" } as const;

/** Revisions with a share in main, now or by a campaign. */
function listWanted({ rollouts, campaigns }: Spec): readonly string[] {
  const used = rollouts.buckets.flatMap(({ shares }) => shares.filter(({ weight }) => weight > 0));
  return [
    ...new Set([...used.map(({ revision }) => revision), ...[...campaigns.values()].map(({ target }) => target)]),
  ];
}

/** Whether workloads can move to each of these in one cluster, by the planner's rule. @internal */
export function judgeRevisions(facts: ClusterFacts, wanted: readonly string[]): CheckResult {
  const [first, ...others] = wanted.flatMap((revision) => findRevisionObstacle(facts, revision) ?? []);
  if (first === undefined) return pass(check, `${facts.cluster}: ${wanted.join(", ")} can be injected`);
  const { message, command } = renderReason(first);
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return fail(check, `${printText(message)}${more}`, ...(command === undefined ? [] : [[{ command }]]));
}

const noExecutor = "what is installed needs an executor: none has published a cluster";

/** Every revision in main exists in every published cluster, and every pattern matches a namespace. */
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
      const spec = await readSpec(repository, origin, main);
      const wanted = listWanted(spec);
      const { nats, installation } = options;
      const place = {
        ...(nats === undefined ? {} : { nats }),
        ...(installation === undefined ? {} : { installation }),
      };
      const fleet = await readFleet(place, terminal);
      return [
        ...[...clusters.values()].map((facts) => judgeRevisions(facts, wanted)),
        ...judgePatterns(spec, [...fleet.values()]),
      ];
    });
  });
}
