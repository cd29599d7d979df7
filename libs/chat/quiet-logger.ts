import { LogLevel } from "@slack/web-api";

const silent = () => undefined;

/** The client would write to the console, request bodies included; what went wrong stands in the error. */
export const quietLogger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  setLevel: silent,
  getLevel: () => LogLevel.ERROR,
  setName: silent,
};
