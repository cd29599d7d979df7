import type { ApiObject, ApiResponse, KubeModel } from "#fakes/kube";

import { dressDeployment } from "./dress-deployment.ts";
import { dressPod } from "./dress-pod.ts";

/**
 * The same model, whose Deployments and pods carry what real ones do and nobody here reads: environment, probes,
 * volumes, the sidecar, whole managedFields. The model itself keeps none of it: it is added to each answer.
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
  readonly items?: readonly ApiObject[];
}

function dressBody(body: object): object {
  const { kind, items = [] } = body as Body;
  switch (kind) {
    case "Deployment":
      return dressDeployment(body as ApiObject);
    case "DeploymentList":
      return { ...body, items: items.map(dressDeployment) };
    case "Pod":
      return dressPod(body as ApiObject);
    case "PodList":
      return { ...body, items: items.map(dressPod) };
    default:
      return body;
  }
}
