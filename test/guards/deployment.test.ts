import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { testInstallation } from "#libs/input";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { makePassword } from "../../scripts/logins/list-logins.ts";
import { namePassword } from "../../scripts/logins/write-logins.ts";
import { interpolate, parseEnvFile } from "./compose-variables.ts";
import { listProblems, readServiceSchemas, type ServiceSchema } from "./service-schemas.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFileSync(join(root, name), "utf8");

interface Service {
  readonly image?: string;
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly ports?: readonly string[];
  readonly volumes?: readonly (string | Bind)[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** A host file that is mounted. */
interface Bind {
  readonly type: "bind";
  readonly source: string;
  readonly read_only?: boolean;
  readonly bind?: { readonly create_host_path?: boolean };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The example .env, filled in as its reader must; a placeholder that is left is refused. */
const unfilled = parseEnvFile(read(".env.example"));
const loginNames = ["operator", "planner", "executor", "notifier", "api", "cli"] as const;
const passwords = Object.fromEntries(loginNames.map((name) => [namePassword(name), makePassword()]));
const tokens = { MESHROLL_GIT_TOKEN: "one-token-of-git", MESHROLL_GIT_READ_TOKEN: "another-token-of-git" };
const example: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(unfilled).map(([name, value]) => [
      name,
      value.startsWith("replace-me") ? "Q7hW2mZk9TxR4vLb8NcY" : value,
    ]),
  ),
  ...tokens,
  // As `meshroll init` prints it.
  MESHROLL_INSTALLATION: testInstallation,
  // As `npm run logins` adds them.
  ...passwords,
};
const text = read("docker-compose.yml");

/** As compose reads it: first the YAML, then the variables in its texts. */
function readCompose(env: Readonly<Record<string, string>>): Compose {
  const fill = (_key: string, value: unknown) => (typeof value === "string" ? interpolate(value, env) : value);
  return JSON.parse(JSON.stringify(parse(text, { merge: true })), fill) as Compose;
}

const compose = readCompose(example);
const everything = Object.entries(compose.services).map(([name, service]) => ({ name, service }));
/** Services that compose starts; the others run only when a person calls them. */
const services = everything.filter(({ service }) => service.profiles === undefined);
const ours = services.filter(({ service }) => service.image?.startsWith("meshroll:"));
const schemas = new Map((await readServiceSchemas()).map((each) => [each.name, each]));

function words({ command = [] }: Service): readonly string[] {
  return typeof command === "string" ? command.split(" ").filter((word) => word !== "") : command;
}

function schemaOf(name: string): ServiceSchema {
  const found = schemas.get(name);
  if (found === undefined) throw new Error(`there is no services/${name}/config.ts`);
  return found;
}

const ownImage = `meshroll:${(JSON.parse(read("package.json")) as { readonly version: string }).version}`;

describe("docker-compose.yml", () => {
  it("runs every service and both brokers; an agent is for VMs", () => {
    expect(ours.map(({ name }) => name).toSorted()).toEqual(
      [...schemas.keys()].filter((name) => name !== "agent").toSorted(),
    );
    expect(services.map(({ name }) => name)).toEqual(expect.arrayContaining(["nats", "redis"]));
  });

  it.each(ours)("$name starts its own command, and accepts its environment", ({ name, service }) => {
    expect(words(service)[0]).toBe(`meshroll-${name}`);
    const { schema, variables } = schemaOf(name);
    const env = service.environment ?? {};
    expect(Object.keys(env).filter((variable) => !variables.includes(variable))).toEqual([]);
    expect(listProblems(schema, env)).toEqual([]);
  });

  it("does not accept a placeholder of the example as a secret", () => {
    const left = Object.fromEntries(Object.entries(unfilled).filter(([, value]) => value.startsWith("replace-me")));
    const env = readCompose({ ...example, ...left }).services["api"]?.environment ?? {};
    expect(listProblems(schemaOf("api").schema, env)).toEqual(["MESHROLL_GITHUB_WEBHOOK_SECRET"]);
  });

  it.each(ours)("the health check of $name asks the port on which it answers", ({ name, service }) => {
    const { healthcheck, environment = {} } = service;
    const port = name === "api" ? environment["MESHROLL_API_PORT"] : environment["MESHROLL_HEALTH_PORT"];
    expect(healthcheck?.test).toEqual(["CMD", "node", "scripts/probe-health.mjs", port]);
  });

  it.each(services)("$name has a health check, restarts after a failure, and has no unneeded rights", (each) => {
    const { service } = each;
    expect(service.healthcheck?.test.length).toBeGreaterThan(1);
    expect(service.restart).toBe("unless-stopped");
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(service.privileged).toBe(undefined);
  });

  it.each(everything)("$name has an image by digest, or ours of this version", ({ service: { image = "" } }) => {
    expect(image === ownImage ? "ours" : image).toMatch(/^(?:ours|[a-z]+:(?!latest@)[\w.-]+@sha256:[0-9a-f]{64})$/);
  });

  it("gives each service its own login only", () => {
    for (const { name, service } of everything.filter(({ service: { image } }) => image === ownImage)) {
      const { MESHROLL_NATS_URL: bus = "", MESHROLL_REDIS_URL: queue } = service.environment ?? {};
      const own = passwords[namePassword(name)] ?? "";
      expect(bus).toBe(`nats://${name}:${own}@nats:4222`);
      const hasQueue = ["planner", "executor", "cli"].includes(name);
      expect(queue).toBe(hasQueue ? `redis://${name}:${own}@redis:6379` : undefined);
      const seen = JSON.stringify(service);
      expect(Object.values(passwords).filter((each) => each !== own && seen.includes(each))).toEqual([]);
    }
  });

  it("gives the token with push rights only to the planner", () => {
    const holders = everything.filter(({ service }) => JSON.stringify(service).includes(tokens.MESHROLL_GIT_TOKEN));
    expect(holders.map(({ name }) => name)).toEqual(["planner"]);
  });

  it("logs in as a GitHub App where .env names one; executor and cli with an App that only reads", () => {
    const env = {
      ...example,
      MESHROLL_GIT_TOKEN: "",
      MESHROLL_GIT_READ_TOKEN: "",
      MESHROLL_GITHUB_TOKEN: "",
      MESHROLL_GITHUB_APP_ID: "7100",
      GITHUB_APP_KEY_FILE: "./app.pem",
      MESHROLL_GITHUB_READ_APP_ID: "7200",
      GITHUB_READ_APP_KEY_FILE: "./read-app.pem",
    };
    const { planner, notifier, executor, cli } = readCompose(env).services;
    const mounted = "/etc/meshroll/app.pem";
    const find = (service: Service | undefined) => [
      service?.environment?.["MESHROLL_GITHUB_APP_ID"],
      service?.environment?.["MESHROLL_GITHUB_APP_KEY_FILE"],
      service?.volumes?.find((volume) => typeof volume === "string" && volume.includes(mounted)),
    ];
    for (const service of [planner, notifier])
      expect(find(service)).toEqual(["7100", mounted, `./app.pem:${mounted}:ro`]);
    for (const service of [executor, cli])
      expect(find(service)).toEqual(["7200", mounted, `./read-app.pem:${mounted}:ro`]);
    // A host file that exists, in the place of what a container mounts.
    const key = fileURLToPath(import.meta.url);
    for (const [name, service] of Object.entries({ planner, notifier, executor }))
      expect(
        listProblems(schemaOf(name).schema, { ...service?.environment, MESHROLL_GITHUB_APP_KEY_FILE: key }),
      ).toEqual([]);
  });

  it("does not start without passwords, and .env.example has no usable ones", () => {
    expect(Object.keys(unfilled).filter((name) => name.startsWith("MESHROLL_PASSWORD_"))).toEqual([]);
    for (const name of Object.keys(passwords)) {
      expect(() => readCompose({ ...example, [name]: "" })).toThrow(`${name} is not set`);
    }
    for (const name of Object.keys(tokens)) {
      expect(Object.keys(unfilled)).not.toContain(name);
      const without = Object.fromEntries(Object.entries(example).filter(([each]) => each !== name));
      expect(() => readCompose(without)).toThrow(`${name} is not set`);
    }
    expect(() => readCompose({ ...example, MESHROLL_INSTALLATION: "" })).toThrow("MESHROLL_INSTALLATION is not set");
  });

  it("does not start before `npm run logins` has written the brokers' files", () => {
    const binds = everything.flatMap(({ service: { volumes = [] } }) =>
      volumes.flatMap((volume) => (typeof volume === "string" ? [] : [volume])),
    );
    expect(binds).toHaveLength(3);
    for (const each of binds) expect(each).toMatchObject({ read_only: true, bind: { create_host_path: false } });
  });

  it("opens only the api's port on the host, for this machine only", () => {
    const open = services.flatMap(({ name, service: { ports = [] } }) => ports.map((port) => `${name} ${port}`));
    expect(open).toEqual(["api 127.0.0.1:8080:8080"]);
  });

  it("starts a service only when what it needs is healthy", () => {
    for (const { service } of ours) {
      expect(service.depends_on).toMatchObject({ nats: { condition: "service_healthy" } });
      const usesQueue = service.environment?.["MESHROLL_REDIS_URL"] !== undefined;
      expect(service.depends_on?.["redis"]).toEqual(usesQueue ? { condition: "service_healthy" } : undefined);
    }
  });

  it("keeps the brokers' data, and Redis evicts nothing", () => {
    const { nats, redis } = compose.services;
    expect(read("deploy/compose/nats.conf")).toContain("jetstream { store_dir: /data }");
    const flags = words(redis ?? {}).join(" ");
    for (const flag of ["--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"]) {
      expect(flags).toContain(flag);
    }
    expect([nats?.volumes?.[0], redis?.volumes?.[0]]).toEqual(["nats:/data", "redis:/data"]);
  });

  it("declares every volume, and no two services share one", () => {
    const named = services.flatMap(({ service: { volumes = [] } }) =>
      volumes
        .map((volume) => (typeof volume === "string" ? (volume.split(":")[0] ?? "") : volume.source))
        .filter((source) => /^[a-z]+$/.test(source)),
    );
    expect(named.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });

  it("uses every variable of .env.example, and says which are required", () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? ""));
    expect(Object.keys(unfilled).filter((name) => !used.has(name))).toEqual([]);
    expect(() => readCompose({})).toThrow("is not set");
  });
});

const dockerfile = read("Dockerfile").replaceAll("\\\n", " ");
const instructions = dockerfile.split("\n").filter((line) => /^[A-Z]+ /.test(line));
const rest = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** The instructions of all stages that do not compile. */
const lastStages = instructions.slice(instructions.findIndex((line) => line.endsWith(" AS packages")));

describe("the Dockerfile", () => {
  it("is based on one image by digest, and uses no other registry", () => {
    const images = rest("FROM").map((from) => from.split(" ")[0]);
    expect(new Set(images).size).toBe(1);
    for (const image of images) expect(image).toMatch(/^node:24-[a-z-]+@sha256:[0-9a-f]{64}$/);
    expect(rest("FROM")).toHaveLength(3);
  });

  it("installs what the lock says, without packages only for development or other platforms", () => {
    expect(lastStages.find((line) => line.startsWith("RUN npm"))).toBe(
      "RUN npm ci --omit=dev --omit=optional --ignore-scripts",
    );
    expect(lastStages.filter((line) => line.startsWith("COPY --from=build "))).toEqual([
      "COPY --from=build /src/dist/package ./",
    ]);
  });

  it("runs as a numeric user that is not root", () => expect(rest("USER")).toEqual(["1000:1000"]));

  it("limits memory and has git, tini and certificates", () => {
    expect(rest("ENV").join(" ")).toMatch(/MALLOC_ARENA_MAX=1\s+MALLOC_TRIM_THRESHOLD_=131072/);
    for (const name of ["ca-certificates", "git", "tini"])
      expect(rest("RUN").find((line) => line.startsWith("apt-get"))).toContain(` ${name} `);
  });

  it("copies and starts only files that exist", () => {
    const copied = rest("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1));
    const started = [...rest("CMD"), ...rest("HEALTHCHECK"), ...rest("ENTRYPOINT")]
      .flatMap((line) => [...line.matchAll(/"([\w/.-]+\.(?:ts|mjs))"/g)])
      .map((match) => match[1] ?? "");
    expect(started).toEqual(["scripts/probe-health.mjs"]);
    for (const path of [...copied, ...started])
      expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
    for (const path of started) expect(copied.some((each) => path === each || path.startsWith(`${each}/`))).toBe(true);
  });
});
