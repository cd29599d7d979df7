import type { CommitFacts, Person } from "../git/commit-facts.ts";
import type { Hub } from "../state/hub.ts";
import { apiUrl, htmlUrl } from "./repository.ts";
import { showUser } from "./user.ts";

type Shape = Readonly<Record<string, unknown>>;

/** GitHub shows the text that was signed, and the signature; here a mark stands for both. */
const signed = {
  verified: true,
  reason: "valid",
  signature: "-----BEGIN PGP SIGNATURE-----",
  payload: "tree",
  verified_at: "2026-01-01T00:00:00Z",
} as const;
const unsigned = { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null } as const;

/** ISO, whole seconds. */
export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

function showPerson({ name, email, seconds }: Person): Shape {
  return { name, email, date: formatTime(seconds) };
}

function showParents(hub: Hub, parents: readonly string[]): readonly Shape[] {
  return parents.map((sha) => ({ sha, url: apiUrl(hub, `/commits/${sha}`), html_url: htmlUrl(hub, `/commit/${sha}`) }));
}

function showVerification({ state }: Hub, sha: string): Shape {
  return state.signed.has(sha) ? signed : unsigned;
}

/** A name in a commit is a user when an account here signs with it; GitHub's own account commits what its API writes. */
function showMatchingUser(hub: Hub, person: Person): Shape {
  if (person.email === "noreply@github.com") return showUser(hub, "web-flow");
  const user = hub.users.find((entry) => hub.sign(entry.login).email === person.email);
  return user === undefined ? {} : showUser(hub, user.login);
}

/** A commit as `commits` shows it. */
export function showCommit(hub: Hub, commit: CommitFacts): Shape {
  const url = apiUrl(hub, `/commits/${commit.sha}`);
  return {
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    url,
    html_url: htmlUrl(hub, `/commit/${commit.sha}`),
    comments_url: `${url}/comments`,
    commit: {
      url: apiUrl(hub, `/git/commits/${commit.sha}`),
      author: showPerson(commit.author),
      committer: showPerson(commit.committer),
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: apiUrl(hub, `/git/trees/${commit.tree}`) },
      verification: showVerification(hub, commit.sha),
    },
    author: showMatchingUser(hub, commit.author),
    committer: showMatchingUser(hub, commit.committer),
    parents: showParents(hub, commit.parents),
  };
}

/** A commit as git stores it. */
export function showGitCommit(hub: Hub, commit: CommitFacts): Shape {
  const { sha, tree, parents, author, committer, message } = commit;
  return {
    sha,
    node_id: `C_${sha}`,
    url: apiUrl(hub, `/git/commits/${sha}`),
    html_url: htmlUrl(hub, `/commit/${sha}`),
    author: showPerson(author),
    committer: showPerson(committer),
    message,
    tree: { sha: tree, url: apiUrl(hub, `/git/trees/${tree}`) },
    parents: showParents(hub, parents),
    verification: showVerification(hub, sha),
  };
}
