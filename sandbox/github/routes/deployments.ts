import { HttpError, requireFound } from "../http/http-error.ts";
import { type Hub, resolveCommit } from "../state/hub.ts";
import { readParam, readText, replyWithPage, requireText, type Route, type RouteRequest } from "../http/route.ts";
import { apiUrl } from "../shapes/repository.ts";
import { showUser } from "../shapes/user.ts";
import type { DeploymentRecord, DeploymentStatusRecord } from "../state/state.ts";

type Shape = Readonly<Record<string, unknown>>;

function showDeployment(hub: Hub, deployment: DeploymentRecord): Shape {
  const url = apiUrl(hub, `/deployments/${deployment.id}`);
  return {
    id: deployment.id,
    node_id: `DE_${deployment.id}`,
    url,
    sha: deployment.sha,
    ref: deployment.ref,
    task: deployment.task,
    payload: deployment.payload,
    environment: deployment.environment,
    original_environment: deployment.environment,
    description: deployment.description,
    creator: showUser(hub, deployment.author),
    created_at: deployment.at,
    updated_at: deployment.statuses.at(-1)?.at ?? deployment.at,
    statuses_url: `${url}/statuses`,
    repository_url: apiUrl(hub),
  };
}

function showStatus(hub: Hub, deployment: DeploymentRecord, status: DeploymentStatusRecord): Shape {
  const url = apiUrl(hub, `/deployments/${deployment.id}`);
  return {
    id: status.id,
    node_id: `DES_${status.id}`,
    url: `${url}/statuses/${status.id}`,
    state: status.state,
    description: status.description,
    target_url: status.logUrl,
    log_url: status.logUrl,
    environment: status.environment,
    environment_url: "",
    creator: showUser(hub, status.author),
    created_at: status.at,
    updated_at: status.at,
    deployment_url: url,
    repository_url: apiUrl(hub),
  };
}

function requireDeployment(hub: Hub, request: RouteRequest): DeploymentRecord {
  return requireFound(hub.state.deployments.find((entry) => entry.id === Number(readParam(request, "deployment_id"))));
}

const statesOfGithub: readonly string[] = [
  "error",
  "failure",
  "inactive",
  "in_progress",
  "queued",
  "pending",
  "success",
];

export const deploymentRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/deployments",
    handle: async (hub, request) => {
      const fits = (deployment: DeploymentRecord): boolean =>
        (["sha", "ref", "task", "environment"] as const).every((name) => {
          const asked = request.query.get(name);
          return asked === null || asked === deployment[name];
        });
      const found = hub.state.deployments.filter(fits).toReversed();
      return replyWithPage(hub, request, found, (page) => page.map((entry) => showDeployment(hub, entry)));
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/deployments",
    handle: async (hub, request) => {
      const ref = requireText(request, "ref", "Deployment");
      const sha = await resolveCommit(hub, ref);
      if (sha === undefined) throw new HttpError(422, `No ref found for: ${ref}`);
      const deployment: DeploymentRecord = {
        id: hub.state.nextId(),
        sha,
        ref,
        task: readText(request, "task") ?? "deploy",
        environment: readText(request, "environment") ?? "production",
        description: readText(request, "description") ?? null,
        payload: request.body["payload"] ?? {},
        author: request.user.login,
        at: hub.now(),
        statuses: [],
      };
      hub.state.deployments.push(deployment);
      hub.emit("deployment", request.user.login, { action: "created", deployment: showDeployment(hub, deployment) });
      return { status: 201, body: showDeployment(hub, deployment) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses",
    handle: async (hub, request) => {
      const deployment = requireDeployment(hub, request);
      const statuses = deployment.statuses.toReversed();
      return replyWithPage(hub, request, statuses, (page) => page.map((status) => showStatus(hub, deployment, status)));
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses",
    handle: async (hub, request) => {
      const deployment = requireDeployment(hub, request);
      const state = requireText(request, "state", "DeploymentStatus");
      if (!statesOfGithub.includes(state)) {
        throw new HttpError(422, "Validation Failed", [
          { resource: "DeploymentStatus", field: "state", code: "invalid" },
        ]);
      }
      const status: DeploymentStatusRecord = {
        id: hub.state.nextId(),
        state,
        description: readText(request, "description") ?? "",
        logUrl: readText(request, "log_url") ?? readText(request, "target_url") ?? "",
        environment: readText(request, "environment") ?? deployment.environment,
        author: request.user.login,
        at: hub.now(),
      };
      deployment.statuses.push(status);
      return { status: 201, body: showStatus(hub, deployment, status) };
    },
  },
];
