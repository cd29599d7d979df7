import { type Rights, rights } from "./rights.ts";

/** What an App is for: one for planner and notifier, and one that only reads for executors, whose clusters hold its key. */
export type AppRole = "services" | "executor";

export interface RegistrationOptions {
  readonly role: AppRole;
  readonly name: string;
  /** The organisation that owns it; absent = the account of the person who registers it. */
  readonly organisation?: string;
  /** Address of the web pages of GitHub, or of a GitHub Enterprise Server: `https://github.com`. */
  readonly server: string;
  /** A page about the App, which GitHub wants. */
  readonly home: string;
  /** Where the api takes webhooks; absent = GitHub delivers nothing, and changes are found by polling. */
  readonly webhook?: string;
}

/** A GitHub App that is to be registered. */
export interface Registration {
  /** The form of GitHub's, filled in (docs.github.com, "Registering a GitHub App using URL parameters"). */
  readonly address: string;
  /** The same as GitHub's manifest of an App. */
  readonly manifest: {
    readonly name: string;
    readonly url: string;
    readonly public: false;
    readonly hook_attributes?: { readonly url: string; readonly active: true };
    readonly default_permissions: Rights;
    readonly default_events: readonly string[];
  };
}

/** Each event that the api takes a hint from (services/api/hints). */
const appEvents = [
  "push",
  "pull_request",
  "pull_request_review",
  "issue_comment",
  "check_run",
  "check_suite",
  "status",
] as const;

/** The more of both: what either process may, their App may. */
function joinRights(one: Rights, other: Rights): Rights {
  const all = [...Object.entries(one), ...Object.entries(other)];
  const written = new Set(all.flatMap(([name, level]) => (level === "write" ? [name] : [])));
  return Object.fromEntries(all.map(([name]) => [name, written.has(name) ? "write" : "read"] as const));
}

/** What an App of this role has to be granted, and nothing else. */
export function findAppRights(role: AppRole): Rights {
  return role === "executor" ? rights.executor : joinRights(rights.planner, rights.notifier);
}

function fillForm({ organisation, server, name, home, webhook }: RegistrationOptions, granted: Rights): string {
  const owner = organisation === undefined ? "" : `/organizations/${encodeURIComponent(organisation)}`;
  const fields = new URLSearchParams({
    name,
    url: home,
    public: "false",
    webhook_active: String(webhook !== undefined),
  });
  if (webhook !== undefined) {
    fields.set("webhook_url", webhook);
    for (const event of appEvents) fields.append("events[]", event);
  }
  for (const [right, level] of Object.entries(granted)) fields.set(right, level);
  return `${server.replace(/\/+$/u, "")}${owner}/settings/apps/new?${fields.toString()}`;
}

/** What GitHub has to be told to make such an App; nothing is sent. */
export function describeRegistration(options: RegistrationOptions): Registration {
  const { role, name, home, webhook } = options;
  const granted = findAppRights(role);
  return {
    address: fillForm(options, granted),
    manifest: {
      name,
      url: home,
      public: false,
      ...(webhook === undefined ? {} : { hook_attributes: { url: webhook, active: true } }),
      default_permissions: granted,
      default_events: webhook === undefined ? [] : appEvents,
    },
  };
}
