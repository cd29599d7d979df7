import { join } from "node:path";

/** The agent's files, below its root. */
export interface Places {
  readonly root: string;
  readonly base: string;
  readonly state: string;
  readonly trust: string;
  /** The first root, installed with the agent, against which a new VM checks the metadata. */
  readonly firstRoot: string;
  readonly downloads: string;
  readonly staging: string;
  readonly slots: string;
  /** The live tree: a symbolic link to one slot. */
  readonly current: string;
  readonly report: string;
  /** What the api gave to this VM for its reports; only its owner may read it. */
  readonly credential: string;
  /** The tag that the api answered last. */
  readonly apiTag: string;
  /** Known to this agent's proxies only. */
  readonly mark: string;
  /** A socket for each agent that starts. */
  readonly locks: string;
}

/** `root` is `/` on a VM, and a folder in tests. */
export function makePlaces(root: string): Places {
  const base = join(root, "var/lib/meshroll-agent");
  return {
    root,
    base,
    state: join(base, "state.json"),
    trust: join(base, "trust.json"),
    firstRoot: join(root, "etc/meshroll-agent/root.json"),
    downloads: join(base, "downloads"),
    staging: join(base, "staging"),
    slots: join(base, "slots"),
    current: join(base, "current"),
    report: join(base, "report.json"),
    credential: join(base, "credential.json"),
    apiTag: join(base, "api-tag.json"),
    mark: join(base, "mark"),
    locks: join(base, "locks"),
  };
}
