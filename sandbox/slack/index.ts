export type { SlackMessage } from "./channel.ts";
export type { SlackFault, SlackFaultEffect } from "./faults.ts";
export type { SlackCall } from "./serve.ts";
export { type Slack, type SlackOptions, type SlackToken, startSlack } from "./start-slack.ts";
