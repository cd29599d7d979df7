import { z } from "zod";

import { ScmUnavailable } from "../../port/errors.ts";
import { parseAnswer } from "../../http/parse-answer.ts";

/** The page of a list, as GitHub's parameters name it. */
export interface Page {
  readonly per_page: number;
  readonly page: number;
}

const size = 100;
/** Far more than any list that is read here has: one that never ends must not take all memory. */
const mostPages = 300;

/** Reads a list to its end. Octokit's own paging breaks with a TypeError on a proxy's page; this one is "unavailable". */
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
