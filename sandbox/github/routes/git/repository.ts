import { requireFound } from "../../http/http-error.ts";
import { type Hub, resolveCommit } from "../../state/hub.ts";
import { readParam, type Route } from "../../http/route.ts";
import { showCommit } from "../../shapes/commit.ts";
import { showLedgerProtection, showProtection, showToAll } from "../../shapes/protection.ts";
import { apiUrl, htmlUrl, showFullRepository } from "../../shapes/repository.ts";
import { showOwnUser, showUser } from "../../shapes/user.ts";

const ledgerBranch = "meshroll/ledger";

async function showBranch(hub: Hub, branch: string): Promise<Readonly<Record<string, unknown>>> {
  const sha = requireFound(hub.branches().get(branch));
  const commit = requireFound(await hub.repository.readCommit(sha));
  const self = apiUrl(hub, `/branches/${branch}`);
  const isMain = branch === hub.defaultBranch;
  const isProtected = isMain || (branch === ledgerBranch && hub.protection.ledgerProtection !== undefined);
  return {
    name: branch,
    commit: showCommit(hub, commit),
    _links: { self, html: htmlUrl(hub, `/tree/${branch}`) },
    protected: isProtected,
    protection: isMain ? showToAll(hub) : { enabled: isProtected },
    protection_url: `${self}/protection`,
  };
}

export const repositoryRoutes: readonly Route[] = [
  {
    operation: "GET /user",
    handle: async (hub, { user }) => ({ status: 200, body: showOwnUser(hub, user.login) }),
  },
  {
    operation: "GET /repos/{owner}/{repo}",
    handle: async (hub, { user }) => {
      // These are permissions of an account: an App's installation has none here, and its own are in another answer.
      const isAccount = user.permissions === undefined;
      const permissions = {
        admin: user.admin === true,
        maintain: user.admin === true,
        push: isAccount && user.mayWrite !== false,
        triage: isAccount && user.mayWrite !== false,
        pull: isAccount,
      };
      return { status: 200, body: { ...showFullRepository(hub), permissions } };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    handle: async (hub, request) => {
      const user = requireFound(hub.users.find((entry) => entry.login === readParam(request, "username")));
      const permission = user.admin === true ? "admin" : user.mayWrite === false ? "read" : "write";
      const permissions = {
        admin: user.admin === true,
        maintain: user.admin === true,
        push: permission !== "read",
        triage: permission !== "read",
        pull: true,
      };
      const shown = { ...showUser(hub, user.login), role_name: permission, permissions };
      return { status: 200, body: { permission, role_name: permission, user: shown } };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/branches/{branch}/protection",
    handle: async (hub, request) => {
      const branch = readParam(request, "branch");
      // Only those who may administer the repository may read it.
      const isLedger = branch === ledgerBranch && request.user.admin === true;
      const found = isLedger ? hub.protection.ledgerProtection : undefined;
      if (found !== undefined) return { status: 200, body: showLedgerProtection(hub, found) };
      requireFound(branch === hub.defaultBranch && request.user.admin === true ? true : undefined);
      return { status: 200, body: showProtection(hub) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/branches/{branch}",
    handle: async (hub, request) => ({ status: 200, body: await showBranch(hub, readParam(request, "branch")) }),
  },
  {
    operation: "GET /repos/{owner}/{repo}/compare/{basehead}",
    handle: async (hub, request) => {
      const [from = "", to = ""] = readParam(request, "basehead").split("...");
      const base = requireFound(await resolveCommit(hub, from));
      const head = requireFound(await resolveCommit(hub, to));
      return { status: 200, body: await compare(hub, base, head) };
    },
  },
];

async function compare(hub: Hub, base: string, head: string): Promise<Readonly<Record<string, unknown>>> {
  const { repository } = hub;
  const mergeBase = requireFound(await repository.mergeBase(base, head));
  const shas = (await repository.git(["rev-list", "--reverse", head, `^${base}`]))
    .split("\n")
    .filter((sha) => sha !== "");
  const behind = Number(await repository.git(["rev-list", "--count", base, `^${head}`]));
  const read = async (sha: string): Promise<unknown> => showCommit(hub, requireFound(await repository.readCommit(sha)));
  const html = htmlUrl(hub, `/compare/${base}...${head}`);
  const ahead = shas.length > 0 ? "ahead" : "identical";
  return {
    url: apiUrl(hub, `/compare/${base}...${head}`),
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: await read(base),
    merge_base_commit: await read(mergeBase),
    status: behind > 0 ? (shas.length > 0 ? "diverged" : "behind") : ahead,
    ahead_by: shas.length,
    behind_by: behind,
    total_commits: shas.length,
    commits: await Promise.all(shas.map(read)),
  };
}
