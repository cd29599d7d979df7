import { type Rights, rights } from "./rights.ts";

/** Who uses an App: planner and notifier, or executors, which only read and hold its key in their clusters. */
export type AppRole = "services" | "executor";

export interface RegistrationOptions {
  readonly role: AppRole;
  readonly name: string;
  /** The organisation that owns it; absent: the account of the person who registers it. */
  readonly organisation?: string;
  /** Address of GitHub's web pages, or of a GitHub Enterprise Server: `https://github.com`. */
  readonly server: string;
  /** Homepage of the App, which GitHub demands. */
  readonly home: string;
  /** Where the api takes webhooks; absent: GitHub sends none, and changes are found by polling. */
  readonly webhook?: string;
}

/** A GitHub App that is to be registered. */
export interface Registration {
  /** GitHub's form, filled in (docs.github.com, "Registering a GitHub App using URL parameters"). */
  readonly address: string;
  /** The same as a GitHub App manifest. */
  readonly manifest: {
    readonly name: string;
    readonly url: string;
    readonly public: false;
    readonly hook_attributes?: { readonly url: string; readonly active: true };
    readonly default_permissions: Rights;
    readonly default_events: readonly string[];
  };
}

/**
 * Events that the api takes hints from (services/api/hints). GitHub sends an App those of its installation without being told to,
 * and refuses `merge_group` to one that may not read merge queues.
 */
const appEvents = [
  "push",
  "pull_request",
  "pull_request_review",
  "pull_request_review_thread",
  "issue_comment",
  "check_run",
  "check_suite",
  "status",
  "merge_group",
  "repository",
] as const;

/** Only an App with this right may be told of merge groups. */
const eventRights: Rights = { merge_queues: "read" };

/** The higher level of each right: planner and notifier share one App. */
function joinRights(one: Rights, other: Rights): Rights {
  const all = [...Object.entries(one), ...Object.entries(other)];
  const written = new Set(all.flatMap(([name, level]) => (level === "write" ? [name] : [])));
  return Object.fromEntries(all.map(([name]) => [name, written.has(name) ? "write" : "read"] as const));
}

/** The rights that an App of this role needs, and no others. */
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

/** What GitHub needs to register such an App; sends nothing. */
export function describeRegistration(options: RegistrationOptions): Registration {
  const { role, name, home, webhook } = options;
  const granted = { ...findAppRights(role), ...(webhook === undefined ? {} : eventRights) };
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
