import type { CommitFacts, Person } from "../git/commit-facts.ts";
import type { Hub } from "../state/hub.ts";
import { apiUrl, htmlUrl } from "./repository.ts";
import { showUser } from "./user.ts";

type Shape = Readonly<Record<string, unknown>>;

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

/** A name in a commit is a user when an account here signs with it. */
function showMatchingUser(hub: Hub, person: Person): Shape {
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
      verification: unsigned,
    },
    author: showMatchingUser(hub, commit.author),
    committer: showMatchingUser(hub, commit.committer),
    parents: showParents(hub, commit.parents),
  };
}
