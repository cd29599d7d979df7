import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

import { createClusterWriter } from "../../libs/kube/write/cluster-writer.ts";
import { createInjectionProver } from "../../libs/kube/watch/injection-prover.ts";
import { createIstiodAsker } from "../../libs/kube/istiods/ask-istiod.ts";
import { createStatusReader } from "../../libs/kube/istiods/read-status.ts";
import { WATCHED } from "../../libs/kube/watch/watched-resources.ts";

const folder = fileURLToPath(new URL("../../deploy/chart/rights", import.meta.url));
const read = (name: string) =>
  parseAllDocuments(readFileSync(`${folder}/${name}`, "utf8")).map((each) => each.toJS() as unknown);

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly Rule[];
}

/** One right as a line: `verb group/resource`, with its namespace and object name. */
function print(verb: string, group: string, resource: string, namespace = "", name = ""): string {
  return `${verb} ${group}/${resource}${namespace === "" ? "" : ` in ${namespace}`}${name === "" ? "" : ` called ${name}`}`;
}

function listGiven(file = "rbac.yaml"): readonly string[] {
  const roles = (read(file) as readonly Role[]).filter(({ kind }) => kind === "ClusterRole" || kind === "Role");
  return roles.flatMap(({ metadata, rules }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames = [""], verbs }) =>
      verbs.flatMap((verb) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            resourceNames.map((name) => print(verb, group, resource, metadata.namespace, name)),
          ),
        ),
      ),
    ),
  );
}

/** The right that a request needs. Rights for one namespace are only used in our own. */
function readRight(verb: string, path: string): string {
  const [, group = "", namespace, resource = "", name] =
    /^\/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/([^/]+)\/)?([a-z]+)(?:\/([^/?]+))?/.exec(path) ?? [];
  const [, subresource] = /\/(portforward|token)(?:\?|$)/.exec(path) ?? [];
  if (subresource !== undefined) {
    return print(verb, group, `${resource}/${subresource}`, namespace, subresource === "token" ? name : "");
  }
  const isOwn = namespace === "meshroll-system";
  return print(verb, group, resource, isOwn ? namespace : "", isOwn && verb === "patch" ? name : "");
}

/** The rights for asking the istiod in a pod. */
async function listAskedOfIstiod(): Promise<readonly string[]> {
  const asked: string[] = [];
  const readStatus = createStatusReader(async (path) => {
    // A WebSocket is a GET, for which API servers ask for `create` too.
    asked.push(...["get", "create"].map((verb) => readRight(verb, path)));
    return { status: 404, body: {} };
  });
  const ask = createIstiodAsker({
    send: async ({ path }) => {
      asked.push(readRight("create", path));
      return { status: 201, body: { status: { token: "t" } } };
    },
    readStatus,
    monotonic: () => 0,
  });
  const pod = { name: "istiod-a-1", namespace: "istio-system", labels: {}, uid: "u1", revision: "a", ready: true };
  await ask(pod, { serverName: "istiod-a.istio-system.svc", authority: undefined });
  return asked;
}

/** The rights for proving injection: only dry runs. */
async function listProven(): Promise<readonly string[]> {
  const asked: string[] = [];
  const prover = createInjectionProver({
    send: async ({ method, path }) => {
      if (path.includes("dryRun=All")) asked.push(readRight(method === "POST" ? "create" : method, path));
      return { status: 201, body: {} };
    },
    store: {
      facts: () => ({ count: 0, uid: "", tags: {}, stops: { kubectl: false, recorded: {} }, revisions: [] }),
      noteInjection: () => undefined,
    },
    monotonic: () => 0,
  });
  await prover.prove(["a"], 0);
  return asked;
}

const noNotes = { noteRefusal: () => undefined, serverNow: () => 0, monotonic: () => 0 };

/**
 * The rights for everything that an executor asks of an API server, by its own code: watches, istiod's answers and all writes.
 */
async function listUsed(): Promise<readonly string[]> {
  const used = WATCHED.flatMap(({ path }) => ["list", "watch"].map((verb) => readRight(verb, path)));
  const verbs = { GET: "get", PATCH: "patch", POST: "create" } as const;
  const writer = createClusterWriter(
    async ({ method, path }) => {
      if (path !== "/version") used.push(readRight(verbs[method], path));
      return { status: path.includes("/meshroll-recorded-stops") ? 404 : 201, body: {} };
    },
    "meshroll",
    noNotes,
  );
  for (const kind of ["Deployment", "StatefulSet", "DaemonSet", "Rollout", "WorkloadGroup"] as const) {
    await writer.patchWorkload({ namespace: "shop", kind, name: "web" }, { resourceVersion: "1" });
  }
  await writer.patchNamespace("shop", { resourceVersion: "1" });
  const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;
  const event = { ref, uid: "u1", id: "1", type: "Normal", reason: "A", action: "B", note: "c", at: 0 } as const;
  await writer.recordEvent(event);
  await writer.recordStops({ one: "stop" });
  await writer.claim("testmeshroll");
  await writer.probe();
  used.push(...(await listAskedOfIstiod()), ...(await listProven()));
  return used;
}

it("an executor has exactly the rights that it uses", async () => {
  const [given, used] = [listGiven(), [...new Set(await listUsed())]];
  expect(given.toSorted()).toEqual(used.toSorted());
  expect(given.length).toBeGreaterThan(15);
});

/** The rights for maintaining the admission maps that label new pods, by the executor's code. */
async function listUsedForPods(): Promise<readonly string[]> {
  const used: string[] = [];
  const verbs = { GET: ["get"], PATCH: ["create", "patch"], POST: ["create"] } as const;
  const writer = createClusterWriter(
    async ({ method, path }) => {
      const [, group = "", resource = "", name = ""] =
        /^\/(?:api|apis\/([^/]+))\/v1\/(?:namespaces\/shop\/)?([a-z]+)\/([^/?]+)/.exec(path) ?? [];
      // An apply creates the object where it does not exist.
      used.push(...verbs[method].map((verb) => print(verb, group, resource, "", name)));
      return { status: 200, body: {} };
    },
    "meshroll",
    noNotes,
  );
  await writer.readAdmission("shop");
  await writer.applyAdmission("shop", {});
  await writer.findAdmissionPolicy();
  return used;
}

it("to label new pods an executor has exactly the rights that it uses, each by the object's name", async () => {
  expect(listGiven("admission/pods.yaml").toSorted()).toEqual([...(await listUsedForPods())].toSorted());
});

it("no account has a wildcard, a secret, or a way to grant itself more", () => {
  const text = [...listGiven(), ...listGiven("admission/pods.yaml")].join("\n");
  expect(text).not.toMatch(/\*|secrets|escalate|\bbind\b|impersonate|exec|delete|update/);
});
