import { lookUp } from "#libs/input";
import type { Forge } from "#libs/github";
import type { World } from "#libs/plan";

import { type Command, isReadCommand } from "./command.ts";
import type { Subject } from "./subject.ts";

/** Whether somebody may ask for this; `needs` says in a sentence who may. */
export type Right = { readonly kind: "may" } | { readonly kind: "mayNot"; readonly needs: string };

/** The campaign that a command concerns, and no more than that one; undefined = more than one campaign. */
function findConcerned(command: Command, subject: Subject, { ledger }: World): string | undefined {
  const scope = "scope" in command ? command.scope : undefined;
  if (scope === undefined) return subject.kind === "pull" ? subject.campaign : undefined;
  if (scope.startsWith("campaign/")) return scope.slice("campaign/".length);
  return scope.startsWith("run/") ? lookUp(ledger?.runs, scope.slice("run/".length))?.campaign : undefined;
}

function listOwners(world: World, campaign: string | undefined): readonly string[] {
  const head = world.specs.get(world.main.head) ?? world.specs.get(world.ledger?.judged ?? "");
  return campaign === undefined ? [] : (head?.campaigns.get(campaign)?.owners ?? []);
}

async function isOwner(forge: Pick<Forge, "teamMembers">, owner: string, login: string): Promise<boolean> {
  // GitHub tells no logins apart that differ by case only.
  if (owner.toLowerCase() === `user:${login}`.toLowerCase()) return true;
  if (!owner.startsWith("team:")) return false;
  const members = await forge.teamMembers(owner.slice("team:".length));
  return members?.some((each) => each.toLowerCase() === login.toLowerCase()) ?? false;
}

/**
 * Reading is free to whoever may comment. A change needs write access to the repository, or to be one of the owners of the
 * one campaign that it concerns. What GitHub says counts, never the comment.
 */
export async function judgeRight(
  forge: Pick<Forge, "permissionOf" | "teamMembers">,
  login: string,
  command: Command,
  subject: Subject,
  world: World,
): Promise<Right> {
  if (isReadCommand(command)) return { kind: "may" };
  if (["admin", "write"].includes(await forge.permissionOf(login))) return { kind: "may" };
  const campaign = findConcerned(command, subject, world);
  const owners = listOwners(world, campaign);
  for (const owner of owners) if (await isOwner(forge, owner, login)) return { kind: "may" };
  const also = owners.length === 0 ? "" : `, or to be one of ${owners.join(", ")} (owners of ${campaign})`;
  return { kind: "mayNot", needs: `it needs write access to this repository${also}` };
}
