import type { AppState } from "../state/app.ts";
import { formatTime } from "./commit.ts";
import type { Hub } from "../state/hub.ts";
import { hashName, showUser } from "./user.ts";

/** The App's one installation, for this repository only. */
export function showInstallation(hub: Hub, { app }: AppState): Readonly<Record<string, unknown>> {
  const self = `${hub.url()}/app/installations/${app.installation}`;
  return {
    id: app.installation,
    account: showUser(hub, hub.owner),
    repository_selection: "selected",
    access_tokens_url: `${self}/access_tokens`,
    repositories_url: `${hub.url()}/installation/repositories`,
    html_url: `${hub.url()}/organizations/${hub.owner}/settings/installations/${app.installation}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: hashName(hub.owner),
    target_type: "Organization",
    permissions: app.permissions,
    events: ["pull_request"],
    created_at: hub.state.startedAt,
    updated_at: hub.state.startedAt,
    single_file_name: null,
    suspended_by: app.suspended === true ? showUser(hub, hub.owner) : null,
    suspended_at: app.suspended === true ? hub.state.startedAt : null,
  };
}

/** Whole seconds, as GitHub writes them. */
export function showExpiry(expiresAt: number): string {
  return formatTime(Math.floor(expiresAt / 1000));
}
