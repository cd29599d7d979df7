/** The fields of our package.json that the package's is made from. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Packages that only some installations need: their users install them. */
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly overrides: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly dev?: boolean;
}

/** package-lock.json: paths below node_modules to what is installed there; the empty path is the project itself. */
export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The agent as one file, which can also be installed without the package. */
export const agentFile = "agent/meshroll-agent.mjs";

/** Each command of the package, and the file that it runs. */
export const commands: Readonly<Record<string, string>> = {
  meshroll: "cli/main.js",
  "kubectl-meshroll": "cli/main.js",
  "kubectl_complete-meshroll": "cli/main.js",
  "meshroll-planner": "services/planner/main.js",
  "meshroll-executor": "services/executor/main.js",
  "meshroll-notifier": "services/notifier/main.js",
  "meshroll-api": "services/api/main.js",
  "meshroll-agent": agentFile,
};

/** The range that `start.mjs` accepts. */
const engines = { node: "^22.19.0 || >=24.0.0" };

/** The Node binaries for each platform, which a checkout installs: the package runs on the Node that is there. */
const packagedNode = /^node_modules\/node-(?:bin-)?(?:darwin|linux|win)-/;

const bin = Object.fromEntries(Object.keys(commands).map((each) => [each, `bin/${each}.mjs`]));

/** package.json of the package: without development dependencies, and with the same exact versions. */
export function makeManifest(
  {
    name,
    version,
    description,
    license,
    type,
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
    overrides,
  }: Manifest,
  man: readonly string[],
): object {
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    man,
    engines,
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
    // npm-shrinkwrap.json was resolved with these; without them `npm ci` refuses it.
    overrides,
  };
}

/** npm-shrinkwrap.json: users get the versions and checksums of our lock, including indirect dependencies. */
export function makeShrinkwrap(
  { name, version, license, dependencies, peerDependencies, peerDependenciesMeta }: Manifest,
  lock: Lock,
): object {
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== "" && dev !== true && !packagedNode.test(path),
  );
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: {
      "": { name, version, license, dependencies, bin, engines, peerDependencies, peerDependenciesMeta },
      ...Object.fromEntries(installed),
    },
  };
}
