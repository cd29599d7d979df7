export type { GithubApp, Permissions } from "./state/app.ts";
export type { Fault, FaultEffect } from "./state/faults.ts";
export type { Exchange, GithubOptions, GithubUser, MergeMethod, Protection, WebhookTarget } from "./state/options.ts";
export { demandReviews } from "./state/review-rules.ts";
export { type Github, type SeenPush, startGithub } from "./serve/start-github.ts";
export type { Delivery } from "./push/webhooks.ts";
