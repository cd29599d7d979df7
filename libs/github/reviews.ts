import { z } from "zod";

import { readBanMs, readStatus } from "./classify.ts";
import type { Forge, Review } from "./port.ts";
import { parseAnswer, type ReadReview, toReviews } from "./pull-request.ts";
import { readPages } from "./read-pages.ts";
import { once, type Wire } from "./wire.ts";

const permission = z.object({ permission: z.string() });

/** Reviews of a pull request, and our own. */
export function createReviews({ octokit, call, here }: Wire): Pick<Forge, "reviews" | "approve"> {
  /** GitHub hides who is a member from a token that may not read members: whoever seems a stranger is asked about. */
  async function mayWrite(username: string, doing: string): Promise<boolean> {
    try {
      const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ ...here, username });
      return ["admin", "write"].includes(parseAnswer(permission, data, doing).permission);
    } catch (error) {
      const status = readStatus(error)?.status;
      // An account that is gone, or a token that may not know: then nobody vouches for the reviewer.
      if ((status === 403 || status === 404) && readBanMs(error, 0) === undefined) return false;
      throw error;
    }
  }

  async function list(number: number, doing: string): Promise<readonly Review[]> {
    const query = { ...here, pull_number: number };
    const found = toReviews(
      await readPages(doing, async (page) => octokit.rest.pulls.listReviews({ ...query, ...page })),
      doing,
    );
    const strangers = new Set(found.filter(isStranger).map(({ review }) => review.author));
    const writers = new Set<string>();
    for (const login of strangers) if (await mayWrite(login, doing)) writers.add(login);
    return found.map(({ review, isInsider }) =>
      isInsider || writers.has(review.author) ? review : { ...review, outsider: true },
    );
  }

  return {
    reviews: async (number) => {
      const doing = `reading reviews of ${number}`;
      return call(doing, async () => list(number, doing));
    },
    approve: async (number) => {
      // No retry: each try that worked would leave a review of its own; the caller asks again.
      const query = { ...here, pull_number: number, event: "APPROVE", ...once } as const;
      await call(`approving ${number}`, async () => octokit.rest.pulls.createReview(query));
    },
  };
}

/** A comment is no word, and a machine's never counts: nobody has to be asked about them. */
function isStranger({ review, isInsider }: ReadReview): boolean {
  return !isInsider && review.bot !== true && review.author !== "ghost" && review.state !== "commented";
}
