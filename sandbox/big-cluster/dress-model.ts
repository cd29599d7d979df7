import type { ApiResponse, KubeModel } from "#fakes/kube";

import { dressDeployment } from "./dress-deployment.ts";
import { dressPod } from "./dress-pod.ts";
import type { ServedObject } from "./served-object.ts";

/**
 * The same model, whose Deployments and pods are served with fields that real objects have and meshroll does not read:
 * environment, probes, volumes, the sidecar, all managedFields. They are added to each answer and not stored.
 */
export function dressModel(model: KubeModel): KubeModel {
  const { api } = model;
  return {
    ...model,
    api: {
      ...api,
      handle: (request) => {
        const answer = api.handle(request);
        return answer === "lost" ? answer : dressAnswer(answer);
      },
      watch: (path, version, send) =>
        api.watch(path, version, (event) => send({ ...event, object: dressBody(event.object) })),
    },
  };
}

function dressAnswer(answer: ApiResponse): ApiResponse {
  const { status, body } = answer;
  return status === 200 && typeof body === "object" && body !== null ? { ...answer, body: dressBody(body) } : answer;
}

interface Body {
  readonly kind?: string;
  readonly items?: readonly ServedObject[];
}

type Dress = (object: ServedObject) => ServedObject;

const DRESSES: ReadonlyMap<string, Dress> = new Map([
  ["Deployment", dressDeployment],
  ["Pod", dressPod],
]);

function dressBody(body: object): object {
  const { kind = "", items } = body as Body;
  const dress = DRESSES.get(items === undefined ? kind : kind.slice(0, -"List".length));
  if (dress === undefined) return body;
  return items === undefined ? dress(body as ServedObject) : { ...body, items: items.map(dress) };
}
