/** An author or committer; seconds since 1970. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly seconds: number;
}

/** A commit as git stores it. */
export interface CommitFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

function parsePerson(text: string): Person {
  const [, name = "", email = "", seconds = "0"] = /^(.*?) ?<(.*?)> (\d+)/.exec(text) ?? [];
  return { name, email, seconds: Number(seconds) };
}

/** Parses the text of a commit object. */
export function parseCommit(sha: string, text: string): CommitFacts {
  const end = text.indexOf("\n\n");
  const header = text.slice(0, end).split("\n");
  const find = (name: string): string =>
    header.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
  return {
    sha,
    tree: find("tree"),
    parents: header.filter((line) => line.startsWith("parent ")).map((line) => line.slice("parent ".length)),
    author: parsePerson(find("author")),
    committer: parsePerson(find("committer")),
    message: text.slice(end + 2).trimEnd(),
  };
}
