import { HttpError } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import { readText, replyWithPage, type Route, type RouteRequest } from "../../http/route.ts";
import { showPull } from "../../shapes/pull-request.ts";
import { apiUrl, htmlUrl } from "../../shapes/repository.ts";
import { showUser } from "../../shapes/user.ts";
import type { ReviewRecord } from "../../state/state.ts";
import { requirePull } from "./pulls.ts";

type Shape = Readonly<Record<string, unknown>>;

const states: Readonly<Record<string, ReviewRecord["state"]>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

function showReview(hub: Hub, review: ReviewRecord): Shape {
  const html = htmlUrl(hub, `/pull/${review.pull}#pullrequestreview-${review.id}`);
  const pull = apiUrl(hub, `/pulls/${review.pull}`);
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: showUser(hub, review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: review.at,
    commit_id: review.commit,
    author_association: hub.users.find(({ login }) => login === review.author)?.association ?? "MEMBER",
  };
}

/** This operation lists its errors as strings. */
function refuseReview(why: string): HttpError {
  return new HttpError(422, "Unprocessable Entity", [why]);
}

function writeReview(hub: Hub, request: RouteRequest): ReviewRecord {
  const pull = requirePull(hub, request);
  const state = states[readText(request, "event") ?? ""];
  if (state === undefined) throw refuseReview("event is invalid");
  if (pull.author === request.user.login && state !== "COMMENTED") {
    const verb = state === "APPROVED" ? "approve" : "request changes on";
    throw refuseReview(`Can not ${verb} your own pull request`);
  }
  const body = readText(request, "body") ?? "";
  if (state !== "APPROVED" && body === "") throw refuseReview("Body cannot be blank");
  const commit = readText(request, "commit_id") ?? pull.head;
  return { id: hub.state.nextId(), pull: pull.number, author: request.user.login, state, body, commit, at: hub.now() };
}

export const reviewRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    handle: async (hub, request) => {
      const { number } = requirePull(hub, request);
      const reviews = hub.state.reviews.filter((review) => review.pull === number);
      return replyWithPage(hub, request, reviews, (page) => page.map((review) => showReview(hub, review)));
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    handle: async (hub, request) => {
      const review = writeReview(hub, request);
      hub.state.reviews.push(review);
      const pull = await showPull(hub, requirePull(hub, request));
      const payload = {
        action: "submitted",
        review: { ...showReview(hub, review), state: review.state.toLowerCase() },
        pull_request: pull,
      };
      hub.emit("pull_request_review", request.user.login, payload);
      return { status: 200, body: showReview(hub, review) };
    },
  },
];
