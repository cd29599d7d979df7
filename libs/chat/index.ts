export { ChatRefused, ChatUnavailable } from "./errors.ts";
export type { Block, Chat, Content, Draft, Found, Marker } from "./port.ts";
export { openSlack, type SlackOptions } from "./slack.ts";
