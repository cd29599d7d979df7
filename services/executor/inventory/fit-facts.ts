import { inventoryLimitBytes, printClusterFacts } from "#libs/events";
import type { ClusterFacts, RevisionFacts } from "#libs/fleet";

/** No number of keys equals it, so planners never take the cluster as complete, and nothing moves in it. */
const unknownCount = -1;

const mostProblems = 20;
const longestProblem = 200;

function addProblem(facts: ClusterFacts, what: string): ClusterFacts {
  const problems = facts.problems.slice(0, mostProblems).map((problem) => problem.slice(0, longestProblem));
  const left = facts.problems.length - problems.length;
  const more = left > 0 ? `, ${left} problems among it` : "";
  const problem = `InventoryTooLarge: this cluster's facts are larger than the bus takes; ${what}${more}`;
  return { ...facts, problems: [problem, ...problems] };
}

function omitNamespaces(revision: RevisionFacts): RevisionFacts {
  const { proxies, ...others } = revision;
  if (proxies === undefined) return others;
  const { byNamespace: _, ...counts } = proxies;
  return { ...others, proxies: counts };
}

/** Each step leaves out more, the least important first, the stops last. */
const steps: readonly ((facts: ClusterFacts) => ClusterFacts)[] = [
  (facts) => facts,
  // `proxySync` then counts the proxies of the whole cluster, not of single namespaces.
  (facts) => ({ ...facts, revisions: facts.revisions.map(omitNamespaces) }),
  (facts) => addProblem(facts, "long texts are cut"),
  (facts) => ({
    ...addProblem(facts, "its revisions and tags are left out: nothing moves here"),
    revisions: [],
    tags: {},
    injection: {},
  }),
  (facts) => {
    const bare = addProblem(facts, "its stops, revisions and tags are left out: they hold here, and nothing moves");
    return {
      ...bare,
      revisions: [],
      tags: {},
      injection: {},
      stops: { ...facts.stops, recorded: {} },
      count: unknownCount,
    };
  },
];

/** The facts as a text that fits into a value of the bus. Always a text: without one the cluster would only seem to be away. */
export function fitFacts(facts: ClusterFacts): string {
  let text = "";
  for (const step of steps) {
    text = printClusterFacts(step(facts));
    if (Buffer.byteLength(text) <= inventoryLimitBytes) break;
  }
  return text;
}
