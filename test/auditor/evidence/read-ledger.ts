import type { AuditedLedger, AuditedRun, AuditedStop } from "./evidence.ts";
import { git, type ToClusterTime } from "./read-history.ts";

const branch = "refs/heads/meshroll/ledger";

interface RawStop {
  readonly id: string;
  readonly scope: string;
  readonly strength: string;
  readonly returnOf?: string;
  readonly lift?: object;
}

interface RawRun {
  readonly id: string;
  readonly state: string;
  readonly retried?: Readonly<Record<string, number>>;
  readonly campaign?: string;
  readonly stage?: string;
  /** The head of the pull request that listed who moves. */
  readonly list?: string;
  readonly outcome?: { readonly aside: readonly Named[]; readonly differences?: readonly Named[] };
}

interface Named {
  readonly cluster: string;
  readonly workload: string;
}

/** One version of a file of the branch, with the second (ms) of the commit that brought it. */
interface Version {
  readonly path: string;
  readonly second: number;
  readonly blob: string;
}

/** Every version of every file in a folder of the branch, oldest first. */
function listVersions(repository: string, folder: string): readonly Version[] {
  const log = git(repository, "log", "--reverse", "--raw", "--no-abbrev", "--format=@%ct", branch, "--", folder);
  let second = 0;
  return log.split("\n").flatMap((line) => {
    if (line.startsWith("@")) second = Number(line.slice(1)) * 1000;
    const [, blob, path] = /^:\d+ \d+ \w+ (\w+) [AM]\t(.*)$/.exec(line) ?? [];
    return blob === undefined || path === undefined ? [] : [{ path, second, blob }];
  });
}

function readStop(repository: string, versions: readonly Version[], toClusterTime: ToClusterTime): AuditedStop {
  const states = versions.map(({ second, blob }) => {
    return { second, stop: JSON.parse(git(repository, "cat-file", "blob", blob)) as RawStop };
  });
  const [first] = states;
  if (first === undefined) throw new Error("a file without a version");
  const { id, scope, strength, returnOf } = first.stop;
  const lifted = states.find(({ stop }) => stop.lift !== undefined);
  return {
    id,
    scope,
    strength,
    ...(returnOf === undefined ? {} : { returnOf }),
    at: toClusterTime(first.second + 999),
    ...(lifted === undefined ? {} : { liftedAt: toClusterTime(lifted.second) }),
  };
}

function nameAll(all: readonly Named[] = []): readonly string[] {
  return all.map(({ cluster, workload }) => `${cluster}:${workload}`);
}

/** Who moves, by a list of `plans/<head>.tsv`: its first line is no workload. */
export function readList(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.split("\t").slice(4, 6).join(":"));
}

/** As the ledger ends with it, but for its list: a plan may be gone from the tree when its campaign is over. */
function readRun(repository: string, blob: string, lists: ReadonlyMap<string, string>): AuditedRun {
  const run = JSON.parse(git(repository, "cat-file", "blob", blob)) as RawRun;
  const { id, state, retried = {}, outcome, campaign, stage } = run;
  const list = lists.get(run.list ?? "");
  return {
    id,
    state,
    retried,
    aside: nameAll(outcome?.aside),
    ...(campaign === undefined ? {} : { campaign }),
    ...(stage === undefined ? {} : { stage }),
    ...(list === undefined ? {} : { list: readList(git(repository, "cat-file", "blob", list)) }),
    ...(outcome?.differences === undefined ? {} : { differences: nameAll(outcome.differences) }),
  };
}

/** What the history of the ledger branch says of stops and runs; nothing where there is no such branch. */
export function readLedger(repository: string, toClusterTime: ToClusterTime): AuditedLedger {
  try {
    git(repository, "rev-parse", "--verify", branch);
  } catch {
    return { stops: [], runs: [] }; // No ledger: nothing was ever recorded.
  }
  const stops = Map.groupBy(listVersions(repository, "stops"), ({ path }) => path);
  const runs = new Map(listVersions(repository, "runs").map(({ path, blob }) => [path, blob]));
  const lists = new Map(
    listVersions(repository, "plans").map(({ path, blob }) => [path.replace(/^plans\/(.*)\.tsv$/, "$1"), blob]),
  );
  return {
    stops: [...stops.values()].map((versions) => readStop(repository, versions, toClusterTime)),
    runs: [...runs.values()].map((blob) => readRun(repository, blob, lists)),
  };
}
