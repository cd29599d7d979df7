const teams = [
  "payments",
  "search",
  "listings",
  "messaging",
  "identity",
  "trust",
  "pricing",
  "reviews",
  "growth",
  "media",
  "data",
  "ml",
];
const services = [
  "api",
  "web",
  "worker",
  "cron",
  "gateway",
  "indexer",
  "ingest",
  "stream",
  "cache",
  "proxy",
  "batch",
  "admin",
  "graph",
];
const stages = ["prod", "staging", "dev", "canary", "test"];

/** Names such as `payments-api-17-staging`, all different. */
export function makeNamespaces(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const number = Math.floor(at / (teams.length * services.length));
    return [choose(teams, at), choose(services, Math.floor(at / teams.length)), number, choose(stages, number)].join(
      "-",
    );
  });
}

/**
 * Patterns: 40 % suffixes, 30 % prefixes, 20 % names, 10 % that need a regular expression. Half of them match nothing, as in a
 * file that has grown. Each kind decides for some names, and `.*-staging` and the like for two of five.
 */
export function makePatterns(count: number): readonly string[] {
  const pool = makeNamespaces(20_000);
  const random = makeRandom();
  const patterns = new Set([".*-staging", ".*-prod", ".*-dev", "istio-e2e"]);
  while (patterns.size < count) {
    const [team = "", service = "", number = "", stage = ""] = choose(pool, Math.floor(random() * pool.length)).split(
      "-",
    );
    const make = choose(kinds, Math.floor(random() * kinds.length));
    patterns.add(make({ team, service, number, stage }, patterns.size % 2 === 0 ? "" : `-${patterns.size}`));
  }
  return [...patterns];
}

interface Parts {
  readonly team: string;
  readonly service: string;
  readonly number: string;
  readonly stage: string;
}

type MakePattern = (parts: Parts, mark: string) => string;

const makeSuffix: MakePattern = ({ service, number, stage }, mark) => `.*-${service}-${number}${mark}-${stage}`;
const makePrefix: MakePattern = ({ team, service, number }, mark) => `${team}-${service}-${number}${mark}.*`;
const makeName: MakePattern = ({ team, service, number, stage }, mark) =>
  `${team}-${service}-${number}-${stage}${mark}`;
const makeChoice: MakePattern = ({ team, service, stage }, mark) => `(${team}|x${mark})-${service}-[0-9]+-${stage}`;
const makeRegex: MakePattern = ({ team, service, stage }, mark) => `${team}-${service}-[0-9]+${mark}-${stage}`;

const kinds: readonly MakePattern[] = [
  ...Array.from({ length: 8 }, () => makeSuffix),
  ...Array.from({ length: 6 }, () => makePrefix),
  ...Array.from({ length: 4 }, () => makeName),
  makeChoice,
  makeRegex,
];

/** Pseudorandom numbers from 0 up to 1, the same in every run. */
function makeRandom(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
}

function choose<T>(from: readonly T[], at: number): T {
  const chosen = from[at % from.length];
  if (chosen === undefined) throw new Error("nothing to choose from");
  return chosen;
}
