import { lookUp } from "../look-up.ts";

/** What the system's codes mean, for people; Node's own message repeats code, call and path. */
const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "this user has no right to it",
  EPERM: "this user has no right to it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was cut",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "there was no answer in time",
  ENOTFOUND: "no host has this name",
  EAI_AGAIN: "the name server did not answer",
};

/** Why a file or a server could not be used, without its name, which the caller's sentence has; else the error's own message. */
export function explainSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ("code" in error ? lookUp(words, String(error.code)) : undefined) ?? error.message;
}

/** The same after the file's name, where the error has one and the caller does not. */
export function placeSystemError(error: unknown): string {
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  const why = explainSystemError(error);
  return typeof path === "string" ? `${path}: ${why}` : why;
}
