import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

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
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The lines of a .env file. */
function parseEnvFile(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const),
  );
}

/** As compose does: `${NAME}`, `${NAME:-default}`, `${NAME:?why}`; fails when a needed one is not set. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind?: string, rest?: string) => {
    const value = env[name] ?? "";
    if (value === "" && kind === "?") throw new Error(`${name} is not set`);
    return value === "" ? (kind === "-" ? (rest ?? "") : "") : value;
  });
}

/** The example, filled in as its reader has to: a placeholder that was left is refused. */
const unfilled = parseEnvFile(read(".env.example"));
const example = Object.fromEntries(
  Object.entries(unfilled).map(([name, value]) => [
    name,
    value.startsWith("replace-me") ? "Q7hW2mZk9TxR4vLb8NcY" : value,
  ]),
);
const text = read("docker-compose.yml");

/** As compose does: first YAML, then what stands in its texts. */
function readCompose(env: Readonly<Record<string, string>>): Compose {
  const fill = (_key: string, value: unknown) => (typeof value === "string" ? interpolate(value, env) : value);
  return JSON.parse(JSON.stringify(parse(text, { merge: true })), fill) as Compose;
}

const compose = readCompose(example);
const services = Object.entries(compose.services).map(([name, service]) => ({ name, service }));
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

describe("docker-compose.yml", () => {
  it("runs every service there is, and its two brokers", () => {
    expect(ours.map(({ name }) => name).toSorted()).toEqual([...schemas.keys()].toSorted());
    expect(services.map(({ name }) => name)).toEqual(expect.arrayContaining(["nats", "redis"]));
  });

  it.each(ours)("$name starts its own main file with an environment that it accepts whole", ({ name, service }) => {
    expect(words(service)[0]).toBe(`services/${name}/main.ts`);
    const { schema, variables } = schemaOf(name);
    const env = service.environment ?? {};
    expect(Object.keys(env).filter((variable) => !variables.includes(variable))).toEqual([]);
    expect(listProblems(schema, env)).toEqual([]);
  });

  it("takes no placeholder of the example for a secret", () => {
    const env = readCompose(unfilled).services["api"]?.environment ?? {};
    expect(listProblems(schemaOf("api").schema, env)).toEqual(["MESHROLL_GITHUB_WEBHOOK_SECRET"]);
  });

  it.each(ours)("$name is asked for its health where it answers", ({ name, service }) => {
    const { healthcheck, environment = {} } = service;
    const port = name === "api" ? environment["MESHROLL_API_PORT"] : environment["MESHROLL_HEALTH_PORT"];
    expect(healthcheck?.test).toEqual(["CMD", "node", "scripts/probe-health.mjs", port]);
  });

  it.each(services)(
    "$name has a health check, comes back after a fault, and may do nothing that it need not",
    (each) => {
      const { service } = each;
      expect(service.healthcheck?.test.length).toBeGreaterThan(1);
      expect(service.restart).toBe("unless-stopped");
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
      expect(service.privileged).toBe(undefined);
    },
  );

  it.each(services)("$name has an image of a fixed tag, from no registry of anybody", ({ service: { image = "" } }) => {
    expect(image).toMatch(/^[a-z]+:(?!latest$)[\w.-]+$/);
  });

  it("opens no port of the host but the api's, and that to this machine only", () => {
    const open = services.flatMap(({ name, service: { ports = [] } }) => ports.map((port) => `${name} ${port}`));
    expect(open).toEqual(["api 127.0.0.1:8080:8080"]);
  });

  it("starts nobody before what it needs is healthy", () => {
    for (const { service } of ours) {
      expect(service.depends_on).toMatchObject({ nats: { condition: "service_healthy" } });
      const usesQueue = service.environment?.["MESHROLL_REDIS_URL"] !== undefined;
      expect(service.depends_on?.["redis"]).toEqual(usesQueue ? { condition: "service_healthy" } : undefined);
    }
  });

  it("keeps what the brokers hold, and Redis drops nothing", () => {
    const { nats, redis } = compose.services;
    expect(words(nats ?? {}).join(" ")).toContain("-js -sd /data");
    const flags = words(redis ?? {}).join(" ");
    for (const flag of ["--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"]) {
      expect(flags).toContain(flag);
    }
    expect([nats?.volumes, redis?.volumes]).toEqual([["nats:/data"], ["redis:/data"]]);
  });

  it("declares every volume, and no two services share one", () => {
    const named = services.flatMap(({ service: { volumes = [] } }) =>
      volumes.map((volume) => volume.split(":")[0] ?? "").filter((source) => /^[a-z]+$/.test(source)),
    );
    expect(named.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });

  it("uses what .env.example names, and says which of it cannot be left out", () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? ""));
    expect(Object.keys(example).filter((name) => !used.has(name))).toEqual([]);
    expect(() => readCompose({})).toThrow("is not set");
  });
});

const dockerfile = read("Dockerfile").replaceAll("\\\n", " ");
const instructions = dockerfile.split("\n").filter((line) => /^[A-Z]+ /.test(line));
const rest = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

describe("the Dockerfile", () => {
  it("builds on images of a fixed tag, and from no registry of anybody", () => {
    for (const from of rest("FROM")) expect(from).toMatch(/^node:24-[a-z-]+(?: AS [a-z]+)?$/);
    expect(rest("FROM")).toHaveLength(2);
  });

  it("installs exactly what the lock says, without what only developers and other machines need", () => {
    expect(rest("RUN")[0]).toBe("npm ci --omit=dev --omit=optional");
  });

  it("runs as a number that is not root", () => expect(rest("USER")).toEqual(["1000:1000"]));

  it("keeps memory low and brings git, tini and certificates", () => {
    expect(rest("ENV").join(" ")).toMatch(/MALLOC_ARENA_MAX=1\s+MALLOC_TRIM_THRESHOLD_=131072/);
    for (const name of ["ca-certificates", "git", "tini"]) expect(rest("RUN")[1]).toContain(` ${name} `);
  });

  it("copies and starts only files that there are", () => {
    const copied = rest("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1));
    const started = [...rest("CMD"), ...rest("HEALTHCHECK"), ...rest("ENTRYPOINT")]
      .flatMap((line) => [...line.matchAll(/"([\w/.-]+\.(?:ts|mjs))"/g)])
      .map((match) => match[1] ?? "");
    expect(started).toEqual(["cli/main.ts", "scripts/probe-health.mjs"]);
    for (const path of [...copied, ...started])
      expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
    for (const path of started) expect(copied.some((each) => path === each || path.startsWith(`${each}/`))).toBe(true);
  });
});
