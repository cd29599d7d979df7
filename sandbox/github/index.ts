export type { Fault, FaultEffect } from "./faults.ts";
export type { Exchange, GithubOptions, GithubUser, MergeMethod, Protection, WebhookTarget } from "./options.ts";
export { type Github, type SeenPush, startGithub } from "./start-github.ts";
export type { Delivery } from "./webhooks.ts";
