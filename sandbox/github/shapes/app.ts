import type { Hub } from "../state/hub.ts";
import { hashName, showUser } from "./user.ts";

/** The App's own id; for an account that is no App, an id made from its name. */
export function findAppId(hub: Hub, login: string): number {
  return hub.app?.app.slug === login.replace("[bot]", "") ? hub.app.app.id : hashName(login);
}

/** Each user who writes check runs does so as an app of that name; `name[bot]` is the app `name`. */
export function showApp(hub: Hub, login: string): Readonly<Record<string, unknown>> {
  const slug = login.replace("[bot]", "");
  return {
    id: findAppId(hub, login),
    slug,
    node_id: `A_${slug}`,
    owner: showUser(hub, hub.owner),
    name: slug,
    description: null,
    external_url: hub.url(),
    html_url: `${hub.url()}/apps/${slug}`,
    created_at: hub.state.startedAt,
    updated_at: hub.state.startedAt,
    permissions: hub.app?.app.slug === slug ? hub.app.app.permissions : { checks: "write" },
    events: [],
  };
}
