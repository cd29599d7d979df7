import type { Channel } from "./channel.ts";
import { Refusal } from "./refusal.ts";

/** By method and by the kind of channel: the scope that a bot needs. */
interface Scopes {
  readonly public: string;
  readonly private: string;
}

const posting: Scopes = { public: "chat:write", private: "chat:write" };
const reading: Scopes = { public: "channels:history", private: "groups:history" };
const needed: ReadonlyMap<string, Scopes> = new Map([
  ["chat.postMessage", posting],
  ["chat.update", posting],
  ["conversations.history", reading],
  ["conversations.replies", reading],
]);

const listScopes: ReadonlyMap<string, string> = new Map([
  ["public_channel", "channels:read"],
  ["private_channel", "groups:read"],
]);

/** The scope that a call lacks, as Slack names it. */
export class MissingScope extends Refusal {
  override readonly name = "MissingScope";
  readonly needed: string;

  constructor(scope: string) {
    super("missing_scope", [`needed: ${scope}`]);
    this.needed = scope;
  }
}

function requireScope(scopes: readonly string[], scope: string): void {
  if (!scopes.includes(scope)) throw new MissingScope(scope);
}

function isSeen(channel: Channel | undefined): channel is Channel {
  return channel !== undefined && (channel.isMember || !channel.isPrivate);
}

/**
 * Refuses a call for a channel as Slack does: a private channel of which the bot is no member does not exist for it, a public
 * one is only closed; `chat:write.public` posts to public ones all the same.
 */
export function requireAccess(method: string, scopes: readonly string[], channel: Channel | undefined): Channel {
  const kinds = needed.get(method) ?? reading;
  // Of a channel that is not seen either scope will do: its kind is not known.
  const isHeldForPrivate = scopes.includes(kinds.private);
  const isPrivate = isSeen(channel) ? channel.isPrivate : isHeldForPrivate;
  requireScope(scopes, isPrivate ? kinds.private : kinds.public);
  if (!isSeen(channel)) throw new Refusal("channel_not_found");
  const mayWriteAnywhere = method === "chat.postMessage" && scopes.includes("chat:write.public");
  if (!channel.isMember && !mayWriteAnywhere) throw new Refusal("not_in_channel");
  return channel;
}

/** Kinds of channels that a list is asked for, each with its own scope; Slack lists public ones by default. */
export function requireKinds(scopes: readonly string[], types: string | undefined): ReadonlySet<string> {
  const kinds = new Set((types ?? "public_channel").split(",").map((kind) => kind.trim()));
  for (const kind of kinds) {
    const scope = listScopes.get(kind);
    if (scope === undefined) throw new Refusal("invalid_types");
    requireScope(scopes, scope);
  }
  return kinds;
}
