/** GitHub's field about who wrote something. */
interface Author {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
}

/** A comment by its id, or an issue by its number. */
type PostId = `comment ${number}` | `issue ${number}`;

/** Whether this token wrote it, by GitHub's author field; never by the text. */
export type IsOurs = (written: PostId, author: Author) => boolean;

/** Recognises what this token wrote. */
export interface OwnPosts {
  read(): Promise<IsOurs>;
  /** Remembers that this process just wrote it. */
  note(written: PostId): void;
}

function isSame(login: string, other: string | undefined): boolean {
  return login.toLowerCase() === other?.toLowerCase();
}

/**
 * By the token's login; an app's login ends with `[bot]`, as no person's does. Where GitHub does not tell the login, only what
 * this process wrote is ours: another app's text may carry our marker.
 */
export function createOwnPosts(askLogin: () => Promise<string | undefined>): OwnPosts {
  const written = new Set<PostId>();
  return {
    note: (id) => void written.add(id),
    read: async () => {
      const login = await askLogin();
      if (login === undefined) return (id) => written.has(id);
      return (id, author) => written.has(id) || isSame(login, author.user?.login);
    },
  };
}
