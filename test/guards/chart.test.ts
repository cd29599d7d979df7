import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { Secret } from "../../libs/runtime/secrets/secret.ts";
import { type ServiceSchema, readServiceSchemas } from "./service-schemas.ts";

// What can be said of deploy/chart without Helm; `npm run test:chart` renders and installs it.

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: { readonly anyOf: readonly [{ readonly enum: readonly string[] }, object] };
  readonly $ref?: string;
}

interface KeysOfObject {
  readonly path: string;
  readonly described: readonly string[];
  readonly given: readonly string[];
}

interface Values {
  readonly image: Readonly<Record<"repository" | "tag", string>>;
  readonly [key: string]: unknown;
}

const schema = JSON.parse(read("deploy/chart/values.schema.json")) as Schema & {
  readonly definitions: Readonly<Record<string, Schema>>;
};
const values = parse(read("deploy/chart/values.yaml")) as Values;
const chart = parse(read("deploy/chart/Chart.yaml")) as Readonly<Record<"version" | "appVersion", string>>;
const template = (name: string) => read(`deploy/chart/templates/${name}`);

/** What a person must set. */
const needed = {
  installation: "testmeshroll",
  repository: { url: "https://github.com/acme/rollouts.git", branch: "main" },
};

describe("values.schema.json", () => {
  const check = new Ajv().compile(schema);

  it("accepts values.yaml once what is needed is set, and nothing before", () => {
    expect([check({ ...values, ...needed }), check.errors]).toEqual([true, null]);
    for (const name of Object.keys(needed)) {
      expect(check({ ...values, ...needed, [name]: values[name] })).toBe(false);
      expect(check.errors?.map(({ instancePath }) => instancePath)).toEqual([expect.stringContaining(`/${name}`)]);
    }
  });

  /** The objects of the values, with their keys in the schema and in values.yaml. */
  function listObjects(part: Schema, value: unknown, path: string): readonly KeysOfObject[] {
    const { properties, additionalProperties } = part.$ref === undefined ? part : follow(part.$ref);
    if (properties === undefined || additionalProperties !== false) return [];
    const inner = new Map(Object.entries(value as object) as [string, unknown][]);
    // Helm gives `global` to every chart.
    const described = Object.keys(properties).filter((key) => key !== "global");
    const parts = described.flatMap((key) => listObjects(properties[key] ?? {}, inner.get(key), `${path}/${key}`));
    return [{ path, described: described.toSorted(), given: [...inner.keys()].toSorted() }, ...parts];
  }

  function follow(ref: string): Schema {
    const found = new Map(Object.entries(schema.definitions)).get(ref.replace("#/definitions/", ""));
    if (found === undefined) throw new Error(`there is no ${ref}`);
    return found;
  }

  it("describes each value of values.yaml, and no other one", () => {
    const objects = listObjects(schema, values, "");
    expect(objects.map(({ path, given }) => ({ path, keys: given }))).toEqual(
      objects.map(({ path, described }) => ({ path, keys: described })),
    );
    expect(objects.length).toBeGreaterThan(12);
  });
});

const services = (await readServiceSchemas()).filter(({ name }) => name !== "agent");

/** The variables that the templates of a service set, by its own file and the parts that it includes. */
function listSet(service: string): readonly string[] {
  const parts = new Map(
    template("_parts.tpl")
      .split('{{- define "')
      .map((text) => [text.slice(0, text.indexOf('"')), text]),
  );
  const own = template(`${service}.yaml`);
  const included = [...own.matchAll(/include "(meshroll\.\w+)"/gu)].map(([, name = ""]) => parts.get(name) ?? "");
  const found = [own, ...included].flatMap((text) => text.match(/MESHROLL_[A-Z_]+(?=:|"[ )])/gu) ?? []);
  return [...new Set(found)];
}

/** Those that `env` takes. */
function listFree(service: string): readonly string[] {
  const { env } = schema.properties?.[service]?.properties ?? {};
  return env?.propertyNames?.anyOf[0].enum ?? [];
}

/** Those that a Secret holds: a token, or the address of a server with its login. */
function listSecret({ variables, schema: config }: ServiceSchema): readonly string[] {
  const long = "Q7hW2mZk9TxR4vLb8NcYQ7hW2mZk9TxR4vLb8NcY";
  return variables.filter((name) => {
    if (["MESHROLL_NATS_URL", "MESHROLL_REDIS_URL"].includes(name)) return true;
    const field = config.shape[name] as { safeParse(text: string): { readonly data?: unknown } };
    return field.safeParse(long).data instanceof Secret;
  });
}

const compose = parse(read("docker-compose.yml"), { merge: true }) as {
  readonly services: Readonly<
    Record<string, { readonly image: string; readonly environment?: Readonly<Record<string, string>> }>
  >;
};

describe("the variables of the chart", () => {
  it.each(services)("$name: each one is a value, free for `env`, or in a Secret, and none is unknown", (service) => {
    const all = [...listSet(service.name), ...listFree(service.name), ...listSecret(service)];
    expect(all.toSorted()).toEqual(service.variables.toSorted());
  });

  it.each(services)("$name: those of the chart are those of compose, where they have no default", (service) => {
    const given = Object.keys(compose.services[service.name]?.environment ?? {});
    expect(listSet(service.name).filter((name) => !given.includes(name))).toEqual([]);
  });
});

it("compose and chart run the same image, of this version", () => {
  const { version } = JSON.parse(read("package.json")) as { readonly version: string };
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
  const images = Object.values(compose.services).map(({ image }) => image);
  const { repository, tag } = values.image;
  expect(images).toContain(`\${MESHROLL_IMAGE:-${repository}:${tag === "" ? chart.appVersion : tag}}`);
});

describe.each(["rbac.yaml", "admission.yaml", "admission/pods.yaml"])("deploy/chart/rights/%s", (file) => {
  const text = read(`deploy/chart/rights/${file}`);
  const documents = parseAllDocuments(text).map((each) => each.toJS() as { readonly kind: string });

  it("names the ServiceAccount, its namespace and istiod's only in the forms that the chart replaces", () => {
    const rights = template("rights.yaml");
    const forms = [
      "{ kind: ServiceAccount, name: meshroll-executor, namespace: meshroll-system }",
      "system:serviceaccount:meshroll-system:meshroll-executor",
      "istio-system, meshroll-system]",
    ];
    for (const form of forms) expect(rights).toContain(form);
    const left = forms.reduce((rest, form) => rest.replaceAll(form, ""), text);
    const own = "kind: ServiceAccount\nmetadata:\n  name: meshroll-executor\n";
    expect(left.replace(own, "").match(/\bmeshroll-executor(?![-\w])/gu)).toBe(null);
    const istio = left.replaceAll("\n  namespace: istio-system\n", "").replaceAll(/^\s*#.*$/gmu, "");
    expect(istio).not.toContain("istio-system");
  });

  it("is taken apart at the lines between its documents", () => {
    const parts = text.split("\n---\n").map((part) => parse(part) as { readonly kind: string });
    expect(parts).toEqual(documents);
  });
});
