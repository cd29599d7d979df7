import { z } from "zod";

import { ScmUnavailable } from "../../port/errors.ts";
import { parseAnswer } from "../../http/parse-answer.ts";

/** GitHub's parameters for one page of a list. */
export interface Page {
  readonly per_page: number;
  readonly page: number;
}

const size = 100;
/** Far more than any list read here has; a list without an end must not take all memory. */
const mostPages = 300;

/** An answer with one page, and GitHub's header about the others. */
interface PageAnswer {
  readonly data: unknown;
  readonly headers?: { readonly link?: string | undefined };
}

/**
 * By the header, as GitHub wants it: a page may be short and not the last. A full page may have been followed by others since the
 * header of a remembered answer, and a server without the header has full pages.
 */
function hasNext({ headers }: PageAnswer, count: number): boolean {
  return count >= size || /rel="?next\b/u.test(headers?.link ?? "");
}

/**
 * Reads all pages of a list; `pick` finds it in an answer that has more. Octokit's own paging fails with a TypeError on a proxy's
 * page; this throws `ScmUnavailable`.
 */
export async function readPages(
  doing: string,
  read: (page: Page) => Promise<PageAnswer>,
  pick: (data: unknown) => unknown = (data) => data,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await read({ per_page: size, page });
    const items = parseAnswer(z.array(z.unknown()), pick(answer.data), doing);
    all.push(...items);
    if (!hasNext(answer, items.length)) return all;
    if (page === mostPages) {
      throw new ScmUnavailable(`${doing} failed: the list has more than ${mostPages * size} entries; is that GitHub?`);
    }
  }
}
