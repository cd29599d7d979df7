export { ChatRefused, ChatUnavailable } from "./errors.ts";
export type { Block, Chat, Content, Draft, Found, Marker, Workspace } from "./port.ts";
export { openSlack, type SlackOptions } from "./slack.ts";
export { type ChatProbe, probeSlack } from "./probe.ts";
