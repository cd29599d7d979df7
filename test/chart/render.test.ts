import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { listProblems, readServiceSchemas } from "../guards/service-schemas.ts";
import { chartFolder, copyChart, helms, type Manifest, needed, readManifests, runHelm } from "./helm.ts";

const { folder, remove } = copyChart();
afterAll(remove);

interface Values {
  readonly [key: string]: unknown;
}

function merge(values: Values): Values {
  const base = new Map<string, unknown>(Object.entries(needed));
  for (const [key, value] of Object.entries(values))
    base.set(key, { ...(base.get(key) as object), ...(value as object) });
  return Object.fromEntries(base);
}

/** What the chart makes of these values, the same by each Helm. */
function render(values: Values = {}, namespace = "meshroll-system"): readonly Manifest[] {
  const [first = [], ...others] = helms.map((helm) => {
    const args = ["template", "meshroll", folder, "--namespace", namespace, "--kube-version", "1.36.0"];
    const { code, printed, said } = runHelm(helm, args, merge(values));
    if (code !== 0) throw new Error(said);
    return readManifests(printed);
  });
  for (const each of others) expect(each).toEqual(first);
  return first;
}

const list = (all: readonly Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();

function find(all: readonly Manifest[], kind: string, name: string): Manifest {
  const found = all.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name} in ${list(all).join(", ")}`);
  return found;
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
}

interface Deployment {
  readonly replicas: number;
  readonly template: { readonly metadata: Manifest["metadata"]; readonly spec: Pod };
}

function readPod(all: readonly Manifest[], service: string) {
  const { template, replicas } = find(all, "Deployment", `meshroll-${service}`)["spec"] as Deployment;
  const [container] = template.spec.containers;
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  return { replicas, metadata: template.metadata, pod: template.spec, container, env };
}

const services = ["planner", "executor", "notifier", "api"] as const;

describe("without further values", () => {
  const all = render();

  it("all services are installed, and the executor has no right to change a workload", () => {
    expect(list(all).filter((each) => !each.startsWith("ValidatingAdmission"))).toEqual([
      "ClusterRole meshroll-observe",
      "ClusterRoleBinding meshroll-observe",
      "Deployment meshroll-api",
      "Deployment meshroll-executor",
      "Deployment meshroll-notifier",
      "Deployment meshroll-planner",
      "Role meshroll-istiod",
      "Role meshroll-prove",
      "Role meshroll-stops",
      "RoleBinding meshroll-istiod",
      "RoleBinding meshroll-prove",
      "RoleBinding meshroll-stops",
      "Service meshroll-api",
      "ServiceAccount meshroll-executor",
      "ServiceAccount meshroll-istiod",
    ]);
    expect(readPod(all, "executor").container.args).toEqual(["meshroll-executor"]);
  });

  it.each(services)(
    "%s is hardened, probed, outside of the mesh, and hears of no Service by its environment",
    (name) => {
      const { metadata, pod, container } = readPod(all, name);
      expect(metadata.labels).toMatchObject({ "sidecar.istio.io/inject": "false" });
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        automountServiceAccountToken: name === "executor",
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(pod.serviceAccountName).toBe(name === "executor" ? "meshroll-executor" : undefined);
      expect(container).toMatchObject({
        args: [`meshroll-${name}`],
        image: `meshroll:0.1.0@${needed.image.digest}`,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        livenessProbe: { httpGet: { path: "/healthz" } },
        readinessProbe: { httpGet: { path: "/readyz" } },
        resources: { requests: {}, limits: {} },
      });
    },
  );

  it.each(services)("%s accepts its variables, and lacks only what is in its Secrets", async (name) => {
    const service = (await readServiceSchemas()).find((each) => each.name === name);
    const { env, container } = readPod(all, name);
    const { variables = [], schema } = service ?? {};
    expect(Object.keys(env).filter((each) => !variables.includes(each))).toEqual([]);
    const logins = ["MESHROLL_NATS_URL", "MESHROLL_REDIS_URL"].filter((each) => variables.includes(each));
    const inSecrets = {
      ...Object.fromEntries(logins.map((each) => [each, "nats://a:b@c:1"])),
      ...(variables.includes("MESHROLL_GIT_TOKEN") ? { MESHROLL_GIT_TOKEN: "Q7hW2mZk9TxR4vLb8NcY" } : {}),
      ...(name === "notifier" ? { MESHROLL_SLACK_TOKEN: "xoxb-Q7hW2mZk9T", MESHROLL_SLACK_CHANNEL: "C024BE91L" } : {}),
    };
    if (schema === undefined) throw new Error(`there is no service ${name}`);
    expect(listProblems(schema, { ...env, ...inSecrets })).toEqual([]);
    expect(container.envFrom.map(({ secretRef }) => secretRef.name)).toEqual(
      name === "api" ? ["meshroll-login-api"] : [`meshroll-login-${name}`, `meshroll-${name}`],
    );
  });
});

/** The documents of a file of rights/, but for the namespace, which the release has. */
function readRights(...files: readonly string[]): readonly Manifest[] {
  const texts = files.map((file) => readFileSync(join(chartFolder, "rights", file), "utf8"));
  return texts.flatMap((text) => readManifests(text)).filter(({ kind }) => kind !== "Namespace");
}

const byName = (all: readonly Manifest[]) =>
  all.toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));

const ofRights = /^(?:ServiceAccount|(?:Cluster)?Role(?:Binding)?|(?:Validat|Mutat)ingAdmissionPolicy(?:Binding)?) /u;
const onlyRights = (all: readonly Manifest[]) =>
  byName(all.filter(({ kind, metadata }) => ofRights.test(`${kind} ${metadata.name}`)));

describe("the rights", () => {
  it("are exactly the files that kubectl apply takes, once the executor may act", () => {
    const all = render({ executor: { ...needed.executor, act: true }, rights: { labelNewPods: true } });
    const files = readRights("rbac.yaml", "admission.yaml", "admission/pods.yaml");
    expect(onlyRights(all)).toEqual(byName(files));
    expect(readPod(all, "executor").container.args).toEqual(["meshroll-executor", "--act"]);
  });

  it("of an executor that observes are the same, without meshroll-move", () => {
    const files = readRights("rbac.yaml", "admission.yaml").filter(({ metadata }) => metadata.name !== "meshroll-move");
    expect(onlyRights(render())).toEqual(byName(files));
  });

  it("follow the release's namespace, the ServiceAccount's name and istiod's namespaces", () => {
    const executor = { ...needed.executor, act: true, serviceAccount: { name: "mover" } };
    const all = render({ executor, rights: { labelNewPods: true, istiodNamespaces: ["mesh-a", "mesh-b"] } }, "tools");
    const text = JSON.stringify(onlyRights(all));
    expect(text).not.toContain("system:serviceaccount:meshroll-system");
    expect(text.split("system:serviceaccount:tools:mover").length - 1).toBeGreaterThan(5);
    const subjects = onlyRights(all).flatMap((each) => (each["subjects"] ?? []) as readonly object[]);
    for (const each of subjects) expect(each).toEqual({ kind: "ServiceAccount", name: "mover", namespace: "tools" });
    expect(subjects.length).toBeGreaterThan(5);
    expect(text).toContain(
      '["kube-system","kube-public","kube-node-lease","istio-system","meshroll-system","mesh-a","mesh-b","tools"]',
    );
    const istiods = all.filter(({ kind, metadata }) => kind === "Role" && metadata.name === "meshroll-istiod");
    expect(istiods.map(({ metadata }) => metadata.namespace)).toEqual(["mesh-a", "mesh-b"]);
    expect(find(all, "ServiceAccount", "mover").metadata.namespace).toBe("tools");
    expect(readPod(all, "executor").pod.serviceAccountName).toBe("mover");
  });

  it("stops have their own namespace where the release has another one, and it stays", () => {
    expect(find(render({}, "tools"), "Namespace", "meshroll-system").metadata.annotations).toEqual({
      "helm.sh/resource-policy": "keep",
    });
  });

  it("may be those of a user of this cluster, for an executor that runs elsewhere", () => {
    const off = { enabled: false };
    const rights = { user: "meshroll@hub" };
    const all = render({ planner: off, executor: off, notifier: off, api: off, rights });
    const subject = { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "meshroll@hub" };
    const subjects = all.flatMap((each) => (each["subjects"] ?? []) as readonly object[]);
    expect(new Set(subjects.map((each) => JSON.stringify(each)))).toEqual(new Set([JSON.stringify(subject)]));
    expect(JSON.stringify(all)).toContain('request.userInfo.username == \\"meshroll@hub\\"');
    expect(
      list(all).filter((each) => /^(?:Deployment|Service) |^ServiceAccount meshroll-executor/u.test(each)),
    ).toEqual([]);
  });

  it("are left out where a person gives them", () => {
    expect(onlyRights(render({ rights: { create: false } }))).toEqual([]);
  });
});

describe("values", () => {
  it("a hub's executor has a kubeconfig, and no token of this cluster", () => {
    const executor = { clusters: "east=e,west=w", kubeconfig: { existingSecret: "hub", key: "config" } };
    const { pod, env, container } = readPod(render({ executor, rights: { create: false } }), "executor");
    expect([pod.automountServiceAccountToken, pod.serviceAccountName]).toEqual([false, undefined]);
    expect(env).toMatchObject({
      MESHROLL_CLUSTERS: "east=e,west=w",
      MESHROLL_KUBECONFIG: "/etc/meshroll/kubeconfig/config",
    });
    expect(container.volumeMounts).toContainEqual({
      name: "kubeconfig",
      mountPath: "/etc/meshroll/kubeconfig",
      readOnly: true,
    });
    expect(pod.volumes).toContainEqual({ name: "kubeconfig", secret: { secretName: "hub" } });
  });

  it("a GitHub App logs in planner and notifier, another one that only reads the executor", () => {
    const app = { id: "7100", existingSecret: "app" };
    const readingApp = { id: "7200", existingSecret: "reading-app", key: "key.pem" };
    const all = render({ scm: { repository: "acme/rollouts", app, readingApp } });
    const shown = services.map((name) => {
      const { env, pod } = readPod(all, name);
      const { MESHROLL_GITHUB_APP_ID: id, MESHROLL_GITHUB_APP_KEY_FILE: file } = env;
      return [id, file, pod.volumes.filter((each) => JSON.stringify(each).includes("app"))];
    });
    const mounted = (secretName: string) => [{ name: "app", secret: { secretName } }];
    expect(shown).toEqual([
      ["7100", "/etc/meshroll/app/app.pem", mounted("app")],
      ["7200", "/etc/meshroll/app/key.pem", mounted("reading-app")],
      ["7100", "/etc/meshroll/app/app.pem", mounted("app")],
      [undefined, undefined, []],
    ]);
  });

  const rendered: readonly { name: string; values: Values; want: readonly string[] }[] = [
    {
      name: "two planners and two apis may lose one at a time",
      values: { planner: { replicas: 2 }, api: { replicas: 2 } },
      want: ["PodDisruptionBudget meshroll-api", "PodDisruptionBudget meshroll-planner"],
    },
    {
      name: "the Prometheus operator finds all services",
      values: { monitoring: { serviceMonitor: { enabled: true } } },
      want: ["Service meshroll-metrics", "ServiceMonitor meshroll"],
    },
    {
      name: "only some peers reach the api",
      values: {
        api: { allowFrom: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }] },
      },
      want: ["NetworkPolicy meshroll-api"],
    },
  ];
  it.each(rendered)("$name", ({ values, want }) => {
    const before = list(render());
    expect(list(render(values)).filter((each) => !before.includes(each))).toEqual(want);
  });

  it("NATS and Redis are added where they are wanted, with the accounts and users of npm run logins", () => {
    const added = list(render({ nats: { enabled: true }, redis: { enabled: true } }));
    const names = added.filter((each) => /meshroll-(?:nats|redis)/u.test(each));
    expect(names.length).toBeGreaterThan(1);
    expect(list(render()).filter((each) => /meshroll-(?:nats|redis)/u.test(each))).toEqual([]);
    const text = JSON.stringify(render({ nats: { enabled: true }, redis: { enabled: true } }));
    for (const each of ["meshroll-nats-accounts", "meshroll-nats-passwords", "meshroll-redis-users"])
      expect(text).toContain(each);
  });

  it("further variables, an image on the nodes, and a claim for the clone", () => {
    const image = { digest: "", pullPolicy: "Never", tag: "dev" };
    const planner = {
      existingClaim: "clone",
      env: { MESHROLL_GIT_POLL_SECONDS: "5", HTTPS_PROXY: "http://proxy:3128" },
    };
    const { container, env, pod } = readPod(render({ image, planner }), "planner");
    expect(container.image).toBe("meshroll:dev");
    expect(env).toMatchObject({ MESHROLL_GIT_POLL_SECONDS: "5", HTTPS_PROXY: "http://proxy:3128" });
    expect(pod.volumes).toContainEqual({ name: "clone", persistentVolumeClaim: { claimName: "clone" } });
  });
});
