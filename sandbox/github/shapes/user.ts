import type { Hub } from "../state/hub.ts";

type Shape = Readonly<Record<string, unknown>>;

/** The same number for the same name. */
export function hashName(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_000_007;
  return hash;
}

export function showUser(hub: Hub, login: string): Shape {
  const url = `${hub.url()}/users/${login}`;
  return {
    login,
    id: hashName(login),
    node_id: `U_${login}`,
    avatar_url: `${url}/avatar`,
    gravatar_id: "",
    url,
    html_url: `${hub.url()}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: hub.users.find((user) => user.login === login)?.type ?? "User",
    site_admin: false,
  };
}

/** The fuller form of `GET /user`. */
export function showOwnUser(hub: Hub, login: string): Shape {
  const empty = { name: null, company: null, blog: "", location: null, email: null, hireable: null, bio: null };
  const counts = { public_repos: 1, public_gists: 0, followers: 0, following: 0 };
  return {
    ...showUser(hub, login),
    ...empty,
    ...counts,
    created_at: hub.state.startedAt,
    updated_at: hub.state.startedAt,
  };
}
