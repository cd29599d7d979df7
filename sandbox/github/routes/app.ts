import { HttpError, requireFound } from "../http/http-error.ts";
import { hasPermission } from "../http/app-rights.ts";
import { readParam, type Route, type RouteRequest } from "../http/route.ts";
import { showApp } from "../shapes/app.ts";
import { showExpiry, showInstallation } from "../shapes/installation.ts";
import { showFullRepository } from "../shapes/repository.ts";
import type { AppState, Permissions } from "../state/app.ts";
import type { Hub } from "../state/hub.ts";

/** The installation in the path; any other id is not found. */
function findInstallation(hub: Hub, request: RouteRequest): AppState {
  const state = requireFound(hub.app);
  requireFound(readParam(request, "installation_id") === String(state.app.installation) ? true : undefined);
  return state;
}

function readWanted({ body }: RouteRequest, { app }: AppState): Permissions {
  const wanted: unknown = body["permissions"] ?? app.permissions;
  if (typeof wanted !== "object" || wanted === null) throw new HttpError(422, "Invalid request.");
  const entries = Object.entries(wanted).map(([name, level]) => [name, level === "write" ? level : "read"] as const);
  if (!entries.every(([name, level]) => name === "metadata" || hasPermission(app.permissions, name, level)))
    throw new HttpError(422, "The permissions requested are not granted to this installation.");
  return { ...Object.fromEntries(entries), metadata: "read" };
}

function requireReach(hub: Hub, { body }: RouteRequest, { app }: AppState): void {
  const names: unknown = body["repositories"] ?? [hub.repo];
  const reached = Array.isArray(names) && names.every((name) => name === hub.repo) && app.unselected !== true;
  if (reached) return;
  const message =
    "There is at least one repository that does not exist or is not accessible to the parent installation.";
  throw new HttpError(422, message);
}

/** The operations that take an App's web token. */
export const appRoutes: readonly Route[] = [
  {
    operation: "GET /app",
    handle: async (hub) => ({ status: 200, body: showApp(hub, `${requireFound(hub.app).app.slug}[bot]`) }),
  },
  {
    operation: "GET /app/installations/{installation_id}",
    handle: async (hub, request) => ({ status: 200, body: showInstallation(hub, findInstallation(hub, request)) }),
  },
  {
    operation: "GET /repos/{owner}/{repo}/installation",
    handle: async (hub) => {
      const state = requireFound(hub.app?.app.unselected === true ? undefined : hub.app);
      return { status: 200, body: showInstallation(hub, state) };
    },
  },
  {
    operation: "POST /app/installations/{installation_id}/access_tokens",
    handle: async (hub, request) => {
      const state = findInstallation(hub, request);
      if (state.app.suspended === true) throw new HttpError(403, "This installation has been suspended");
      requireReach(hub, request, state);
      const { token, permissions, expiresAt } = state.issue(readWanted(request, state));
      const body = {
        token,
        expires_at: showExpiry(expiresAt),
        permissions,
        repository_selection: "selected",
        repositories: [showFullRepository(hub)],
      };
      return { status: 201, body };
    },
  },
];

/** True for paths that take an App's web token, and no other login. */
export function isAppPath(path: string): boolean {
  return /^\/app(?:\/|$)|^\/repos\/[^/]+\/[^/]+\/installation$/.test(path);
}
