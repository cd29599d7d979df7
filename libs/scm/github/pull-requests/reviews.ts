import type { Scm } from "../../port/port.ts";
import { toReviews } from "./pull-request.ts";
import { readPages } from "./read-pages.ts";
import { once, type Wire } from "../calls/wire.ts";

/** Reviews of a pull request, and our own. Whether a reviewer may write is asked apart: what GitHub shows next to a review is no right. */
export function createReviews({ octokit, call, here }: Wire): Pick<Scm, "reviews" | "approve"> {
  return {
    reviews: async (number) => {
      const doing = `reading reviews of ${number}`;
      const query = { ...here, pull_number: number };
      return call(doing, async () =>
        toReviews(await readPages(doing, async (page) => octokit.rest.pulls.listReviews({ ...query, ...page })), doing),
      );
    },
    approve: async (number) => {
      // No retry: each try that worked would leave a review of its own; the caller asks again.
      const query = { ...here, pull_number: number, event: "APPROVE", ...once } as const;
      await call(`approving ${number}`, async () => octokit.rest.pulls.createReview(query));
    },
  };
}
