import type { Scm } from "../../port/port.ts";
import { toReviews } from "./pull-request.ts";
import { readPages } from "./read-pages.ts";
import type { Wire } from "../calls/wire.ts";

/** Reviews of a pull request. The association shown next to a review grants nothing: see `permissionOf`. */
export function createReviews({ octokit, call, here }: Wire): Pick<Scm, "reviews"> {
  return {
    reviews: async (number) => {
      const doing = `reading reviews of ${number}`;
      const query = { ...here, pull_number: number };
      return call(doing, async () =>
        toReviews(await readPages(doing, async (page) => octokit.rest.pulls.listReviews({ ...query, ...page })), doing),
      );
    },
  };
}
