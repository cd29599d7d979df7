/** GitHub's field about who wrote something. */
interface Author {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
}

/** A comment by its id, or an issue by its number. */
type Written = `comment ${number}` | `issue ${number}`;

/** Whether this token wrote it, by GitHub's author field; never by the text. */
export type IsOurs = (written: Written, author: Author) => boolean;

/** Recognises what this token wrote. */
export interface OwnWords {
  read(): Promise<IsOurs>;
  /** Remembers that this process just wrote it. */
  note(written: Written): void;
}

function isSame(login: string, other: string | undefined): boolean {
  return login.toLowerCase() === other?.toLowerCase();
}

/**
 * By the token's login; an app's login ends with `[bot]`, as no person's does. Where GitHub does not tell the login, only what
 * this process wrote is ours: another app's text may carry our marker.
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
