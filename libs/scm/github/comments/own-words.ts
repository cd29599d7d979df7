/** As GitHub shows who wrote something. */
interface Author {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
}

/** A comment by its id, an issue by its number. */
type Written = `comment ${number}` | `issue ${number}`;

/** Whether this token wrote it: by what GitHub says of the author, never by what stands in the text. */
export type IsOurs = (written: Written, author: Author) => boolean;

/** What this token wrote, as far as it can be told. */
export interface OwnWords {
  read(): Promise<IsOurs>;
  /** This process has just written it. */
  note(written: Written): void;
}

function isSame(login: string, other: string | undefined): boolean {
  return login.toLowerCase() === other?.toLowerCase();
}

/**
 * An app's own login ends with `[bot]`, as no person's does. Where the login is not told, only what this process wrote itself is
 * ours: another app's text may carry our marker.
 */
export function createOwnWords(askLogin: () => Promise<string | undefined>): OwnWords {
  const written = new Set<Written>();
  return {
    note: (id) => void written.add(id),
    read: async () => {
      const login = await askLogin();
      if (login === undefined) return (id) => written.has(id);
      return (id, author) => written.has(id) || isSame(login, author.user?.login);
    },
  };
}
