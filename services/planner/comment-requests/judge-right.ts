import { findNamed, lookUp } from "#libs/input";
import type { Scm } from "#libs/scm";
import { findNewestSpec, type Snapshot } from "#libs/plan";

import { type Command, isReadCommand } from "./command.ts";
import type { Subject } from "./subject.ts";

/** Whether an account may use a command; `needs` is a sentence that says who may. */
export type Right = { readonly kind: "may" } | { readonly kind: "mayNot"; readonly needs: string };

/** The one campaign that a command concerns; undefined = none, or more than one. */
function findConcernedCampaign(command: Command, subject: Subject, { ledger }: Snapshot): string | undefined {
  const scope = "scope" in command ? command.scope : undefined;
  if (scope === undefined) return subject.kind === "pull" ? subject.campaign : undefined;
  // The workloads of a run may belong to another campaign by now, so a run's scope does not count here.
  if (command.verb === "converge") return findNamed("campaign", scope);
  return findNamed("campaign", scope) ?? lookUp(ledger?.runs, findNamed("run", scope) ?? "")?.campaign;
}

function listOwners(snapshot: Snapshot, campaign: string | undefined): readonly string[] {
  const head = findNewestSpec(snapshot);
  return campaign === undefined ? [] : (head?.campaigns.get(campaign)?.owners ?? []);
}

async function isOwner(scm: Pick<Scm, "teamMembers">, owner: string, login: string): Promise<boolean> {
  // GitHub's logins do not differ by case only.
  if (owner.toLowerCase() === `user:${login}`.toLowerCase()) return true;
  if (!owner.startsWith("team:")) return false;
  const members = await scm.teamMembers(owner.slice("team:".length));
  return members?.some((each) => each.toLowerCase() === login.toLowerCase()) ?? false;
}

/**
 * Everyone may read. A change needs write access to the repository, or to be an owner of the one campaign that it concerns.
 * Both are looked up at the SCM; nothing in the comment counts.
 */
export async function judgeRight(
  scm: Pick<Scm, "permissionOf" | "teamMembers">,
  login: string,
  command: Command,
  subject: Subject,
  snapshot: Snapshot,
): Promise<Right> {
  if (isReadCommand(command)) return { kind: "may" };
  if (["admin", "write"].includes(await scm.permissionOf(login))) return { kind: "may" };
  const campaign = findConcernedCampaign(command, subject, snapshot);
  const owners = listOwners(snapshot, campaign);
  for (const owner of owners) if (await isOwner(scm, owner, login)) return { kind: "may" };
  const also = owners.length === 0 ? "" : `, or to be one of ${owners.join(", ")} (owners of ${campaign})`;
  return { kind: "mayNot", needs: `it needs write access to this repository${also}` };
}
