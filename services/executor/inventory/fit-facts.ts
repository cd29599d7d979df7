import { inventoryLimitBytes, printClusterFacts } from "#libs/events";
import type { ClusterFacts, RevisionFacts } from "#libs/fleet";

/** No number of keys equals it: such a cluster is never fresh, and nothing moves in it. */
const unknownCount = -1;

const mostProblems = 20;
const longestProblem = 200;

function name(facts: ClusterFacts, what: string): ClusterFacts {
  const problems = facts.problems.slice(0, mostProblems).map((problem) => problem.slice(0, longestProblem));
  const left = facts.problems.length - problems.length;
  const more = left > 0 ? `, ${left} problems among it` : "";
  const told = `InventoryTooLarge: more is known of this cluster than the bus takes; ${what}${more}`;
  return { ...facts, problems: [told, ...problems] };
}

function omitNamespaces(revision: RevisionFacts): RevisionFacts {
  const { proxies, ...others } = revision;
  if (proxies === undefined) return others;
  return { ...others, proxies: { connected: proxies.connected, synced: proxies.synced } };
}

/** What is left out, the least important first; stops stay for as long as anything else can go. */
const steps: readonly ((facts: ClusterFacts) => ClusterFacts)[] = [
  (facts) => facts,
  // Whose proxies are in sync is counted over all of them then.
  (facts) => ({ ...facts, revisions: facts.revisions.map(omitNamespaces) }),
  (facts) => name(facts, "long texts are cut"),
  (facts) => ({
    ...name(facts, "its revisions and tags are left out: nothing moves here"),
    revisions: [],
    tags: {},
    injection: {},
  }),
  (facts) => {
    const bare = name(facts, "its stops, revisions and tags are left out: they hold here, and nothing moves");
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

/** The facts as the bus takes them: never silently none, because then the cluster would only seem to be away. */
export function fitFacts(facts: ClusterFacts): string {
  let text = "";
  for (const step of steps) {
    text = printClusterFacts(step(facts));
    if (Buffer.byteLength(text) <= inventoryLimitBytes) break;
  }
  return text;
}
