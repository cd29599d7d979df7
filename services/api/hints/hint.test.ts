import { expect, it } from "vitest";

import { readHint } from "./hint.ts";

const push = (ref: unknown) => ({ ref });
const pulls = { main: false, pulls: true };
const all = { main: true, pulls: true };

const cases = [
  {
    name: "a push to the protected branch",
    event: "push",
    payload: push("refs/heads/main"),
    want: { main: true, pulls: true },
  },
  {
    name: "a push to the ledger",
    event: "push",
    payload: push("refs/heads/meshroll/ledger"),
    want: { main: true, pulls: false },
  },
  {
    name: "a push to a stage's branch",
    event: "push",
    payload: push("refs/heads/meshroll/istio-1-25/prod-25"),
    want: pulls,
  },
  { name: "a push to another branch", event: "push", payload: push("refs/heads/main-2"), want: undefined },
  { name: "a tag with the branch's name", event: "push", payload: push("refs/tags/main"), want: undefined },
  { name: "a push without a ref", event: "push", payload: {}, want: undefined },
  { name: "a push of no object", event: "push", payload: null, want: undefined },
  { name: "a ref that is not a string", event: "push", payload: push(["refs/heads/main"]), want: undefined },
  { name: "a pull request", event: "pull_request", payload: {}, want: pulls },
  { name: "a review", event: "pull_request_review", payload: {}, want: pulls },
  { name: "an approval on Gitea", event: "pull_request_approved", payload: {}, want: pulls },
  { name: "changes that a reviewer requests on Gitea", event: "pull_request_rejected", payload: {}, want: pulls },
  { name: "a review without a verdict on Gitea", event: "pull_request_comment", payload: {}, want: pulls },
  { name: "a comment", event: "issue_comment", payload: {}, want: pulls },
  { name: "a check that ended", event: "check_run", payload: { action: "completed" }, want: pulls },
  { name: "a check that begins", event: "check_run", payload: { action: "created" }, want: undefined },
  { name: "a suite of checks that ended", event: "check_suite", payload: { action: "completed" }, want: pulls },
  {
    name: "a suite of checks that is asked for",
    event: "check_suite",
    payload: { action: "requested" },
    want: undefined,
  },
  { name: "a commit status", event: "status", payload: { state: "success" }, want: pulls },
  { name: "a commit status that waits", event: "status", payload: { state: "pending" }, want: undefined },
  { name: "a merge queue's group", event: "merge_group", payload: { action: "checks_requested" }, want: pulls },
  { name: "a group that is gone", event: "merge_group", payload: { action: "destroyed" }, want: pulls },
  { name: "a conversation", event: "pull_request_review_thread", payload: { action: "resolved" }, want: pulls },
  { name: "a renaming", event: "repository", payload: { action: "renamed" }, want: all },
  { name: "a repository that is archived", event: "repository", payload: { action: "archived" }, want: all },
  { name: "an edited description", event: "repository", payload: { action: "edited" }, want: undefined },
  { name: "a suspended installation", event: "installation", payload: { action: "suspend" }, want: all },
  { name: "a repository that is selected", event: "installation_repositories", payload: {}, want: all },
  { name: "a check with an invalid payload", event: "check_run", payload: [7], want: undefined },
  { name: "a ping", event: "ping", payload: {}, want: undefined },
  { name: "a star", event: "star", payload: push("refs/heads/main"), want: undefined },
  { name: "an unknown event", event: "undefined", payload: push("refs/heads/main"), want: undefined },
];

it.each(cases)("$name", ({ event, payload, want }) => {
  expect(readHint(event, payload, "main")).toEqual(want);
});
