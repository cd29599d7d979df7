import type { ApiResponse, KubeModel } from "#fakes/kube";

import { enlargeDeployment } from "./enlarge-deployment.ts";
import { enlargePod } from "./enlarge-pod.ts";
import type { ServedObject } from "./served-object.ts";

/**
 * The same model, whose Deployments and pods are served with fields that real objects have and meshroll does not read:
 * environment, probes, volumes, the sidecar, all managedFields. They are added to each answer and not stored.
 */
export function enlargeModel(model: KubeModel): KubeModel {
  const { api } = model;
  return {
    ...model,
    api: {
      ...api,
      handle: (request) => {
        const answer = api.handle(request);
        return answer === "lost" ? answer : enlargeAnswer(answer);
      },
      watch: (path, version, send) =>
        api.watch(path, version, (event) => send({ ...event, object: enlargeBody(event.object) })),
    },
  };
}

function enlargeAnswer(answer: ApiResponse): ApiResponse {
  const { status, body } = answer;
  return status === 200 && typeof body === "object" && body !== null ? { ...answer, body: enlargeBody(body) } : answer;
}

interface Body {
  readonly kind?: string;
  readonly items?: readonly ServedObject[];
}

type Enlarge = (object: ServedObject) => ServedObject;

const ENLARGERS: ReadonlyMap<string, Enlarge> = new Map([
  ["Deployment", enlargeDeployment],
  ["Pod", enlargePod],
]);

function enlargeBody(body: object): object {
  const { kind = "", items } = body as Body;
  const enlarge = ENLARGERS.get(items === undefined ? kind : kind.slice(0, -"List".length));
  if (enlarge === undefined) return body;
  return items === undefined ? enlarge(body as ServedObject) : { ...body, items: items.map(enlarge) };
}
