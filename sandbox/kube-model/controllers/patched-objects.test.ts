import { describe, expect, it } from "vitest";

import { createModel, type KubeModel } from "../create-model.ts";
import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import { createStepClock } from "../state/step-clock.ts";

const PATH = "/apis/apps/v1/namespaces/shop/deployments/web";

function createBed(): KubeModel {
  const model = createModel({ clock: createStepClock() });
  model.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "1-29" } });
  return model;
}

function call(model: KubeModel, method: string, path: string, body?: unknown): ApiResponse {
  const contentType = method === "PATCH" ? "application/merge-patch+json" : undefined;
  const query = new URLSearchParams("fieldManager=meshroll");
  const request: ApiRequest = { method, path, query, contentType, body, user: "executor" };
  const response = model.api.handle(request);
  if (response === "lost") throw new Error("the answer is lost");
  return response;
}

describe("a merge patch", () => {
  const template = (labels: object) => ({ spec: { template: { metadata: { labels } } } });

  it("that changes nothing writes nothing: resourceVersion, generation and managers stay", () => {
    const model = createBed();
    const before = call(model, "GET", PATH).body;
    expect(call(model, "PATCH", PATH, template({ "istio.io/rev": "1-29" })).status).toBe(200);
    expect(call(model, "GET", PATH).body).toEqual(before);
  });

  it("of metadata leaves the generation, of the template raises it", () => {
    const model = createBed();
    const read = () => call(model, "GET", PATH).body as { readonly metadata: { readonly generation: number } };
    call(model, "PATCH", PATH, { metadata: { annotations: { a: "b" } } });
    expect(read().metadata.generation).toBe(1);
    call(model, "PATCH", PATH, template({ "istio.io/rev": "1-31" }));
    expect(read().metadata.generation).toBe(2);
  });

  it("takes the changed fields from their manager and leaves it the others", () => {
    const model = createBed();
    call(model, "PATCH", PATH, template({ "istio.io/rev": "1-31" }));
    const labels = (fields: object) => ({ "f:spec": { "f:template": { "f:metadata": { "f:labels": fields } } } });
    expect(call(model, "GET", PATH).body).toMatchObject({
      metadata: {
        managedFields: [
          { manager: "kubectl-create", operation: "Update", fieldsV1: labels({ "f:app": {} }) },
          { manager: "meshroll", operation: "Update", fieldsV1: labels({ "f:istio.io/rev": {} }) },
          { manager: "kube-controller-manager", operation: "Update", subresource: "status" },
        ],
      },
    });
  });

  const refusals = {
    "with a field that the model does not know": { body: { spec: { strategy: {} } }, want: 422 },
    "with a value that is no text": { body: template({ a: 1 }), want: 422 },
    "against the selector": { body: template({ app: "other" }), want: 422 },
    "of an older object": { body: { metadata: { resourceVersion: "1" }, ...template({ a: "b" }) }, want: 409 },
    "that is no object": { body: "x", want: 422 },
  };
  for (const [name, { body, want }] of Object.entries(refusals)) {
    it(`${name} is refused and logged with its status`, () => {
      const model = createBed();
      const before = call(model, "GET", PATH).body;
      expect(call(model, "PATCH", PATH, body).status).toBe(want);
      expect(call(model, "GET", PATH).body).toEqual(before);
      expect(model.writes).toMatchObject([{ verb: "patch", path: PATH, user: "executor", status: want }]);
    });
  }
});

describe("the API", () => {
  it("logs every write with the resourceVersions around it, and tells listeners", () => {
    const model = createBed();
    const heard: number[] = [];
    const stop = model.onWrite(({ status }) => heard.push(status));
    call(model, "PATCH", PATH, { metadata: { annotations: { a: "b" } } });
    const maps = "/api/v1/namespaces/shop/configmaps";
    call(model, "POST", maps, { metadata: { name: "new" } });
    stop();
    call(model, "POST", maps, { metadata: { name: "new" } });
    call(model, "POST", "/api/v1/namespaces", { metadata: { name: "new" } });
    expect(heard).toEqual([200, 201]);
    const [patch, create, again, namespace] = model.writes;
    expect(Number(patch?.after)).toBeGreaterThan(Number(patch?.before));
    expect(create).toMatchObject({ verb: "create", fieldManager: "meshroll", status: 201 });
    expect(again).toMatchObject({ status: 409 });
    // As by the RBAC that ships.
    expect(namespace).toMatchObject({ status: 403 });
  });

  const others = [
    { name: "an unknown path", method: "GET", path: "/api/v1/secrets", want: 404 },
    { name: "an object that is not there", method: "GET", path: "/api/v1/namespaces/nowhere", want: 404 },
    { name: "a verb that we never use", method: "DELETE", path: PATH, want: 405 },
    { name: "the version", method: "GET", path: "/version", want: 200 },
    {
      name: "a ConfigMap in a namespace that is not there",
      method: "POST",
      path: "/api/v1/namespaces/x/configmaps",
      want: 404,
    },
  ];
  for (const { name, method, path, want } of others) {
    it(`answers ${want} for ${name}`, () => {
      expect(call(createBed(), method, path, { metadata: { name: "n" } }).status).toBe(want);
    });
  }

  it("keeps one list whole while objects come and go between its pages", () => {
    const model = createBed();
    for (let index = 0; index < 9; index++) model.addDeployment({ ns: "shop", name: `w${index}` });
    const page = (token: string) => {
      const query = new URLSearchParams({ limit: "4", ...(token === "" ? {} : { continue: token }) });
      const response = model.api.handle({ method: "GET", path: "/apis/apps/v1/deployments", query, user: "x" });
      if (response === "lost") throw new Error("the answer is lost");
      return response;
    };
    type List = {
      readonly metadata: { readonly continue?: string; readonly resourceVersion: string };
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    const first = page("").body as List;
    model.deleteWorkload({ namespace: "shop", kind: "Deployment", name: "w8" });
    model.addDeployment({ ns: "shop", name: "late" });
    const second = page(first.metadata.continue ?? "").body as List;
    const third = page(second.metadata.continue ?? "").body as List;
    const names = [first, second, third].flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
    expect(names).toEqual(["web", "w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"]);
    expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    model.compactHistory();
    expect(page(first.metadata.continue ?? "").status).toBe(410);
  });

  it("tells a watch that resumes the last state of everything that changed, deletions included", () => {
    const model = createBed();
    const path = "/apis/apps/v1/deployments";
    const version = (call(model, "GET", path).body as { readonly metadata: { readonly resourceVersion: string } })
      .metadata.resourceVersion;
    const ref = model.addDeployment({ ns: "shop", name: "gone" });
    model.ownerApply(ref, { image: "a:2" });
    model.deleteWorkload(ref);
    model.ownerApply({ ...ref, name: "web" }, { image: "a:2" });
    model.ownerApply({ ...ref, name: "web" }, { image: "a:3" });
    const told: string[] = [];
    model.api.watch(path, version, ({ type, object }) => {
      told.push(`${type} ${(object as { readonly metadata: { readonly name: string } }).metadata.name}`);
    })();
    expect(told).toEqual(["DELETED gone", "MODIFIED web"]);
    model.compactHistory();
    model.api.watch(path, version, ({ type }) => void told.push(type))();
    expect(told.at(-1)).toBe("ERROR");
  });
});
