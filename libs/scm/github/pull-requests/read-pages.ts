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

/** Reads all pages of a list. Octokit's own paging fails with a TypeError on a proxy's page; this throws `ScmUnavailable`. */
export async function readPages(
  doing: string,
  read: (page: Page) => Promise<{ readonly data: unknown }>,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const items = parseAnswer(z.array(z.unknown()), (await read({ per_page: size, page })).data, doing);
    all.push(...items);
    if (items.length < size) return all;
    if (page === mostPages) {
      throw new ScmUnavailable(`${doing} failed: the list has more than ${mostPages * size} entries; is that GitHub?`);
    }
  }
}
