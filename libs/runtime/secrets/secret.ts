import { inspect } from "node:util";
import { z } from "zod";
import { readFileSync } from "node:fs";

const shown = "[secret]";

/** The values of all secrets of this process: redaction needs no list from its callers. */
const known = new Set<string>();

/** The newest tokens that expire; at most so many, because new ones are made each hour. */
const expiring: string[] = [];
const mostExpiring = 16;

/** A secret value that logs, messages and JSON do not show; only `reveal` returns it. Made by `secret()` only. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    known.add(value);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}

/** What examples and manifests have in the place of a secret; they are public. */
const placeholder = /replace|change.?me|placeholder|example|your[-_ ]|<.*>|\$\{|^(.)\1{7,}$/i;

/** Schema of a secret variable. Refuses values that were copied from an example: they protect nothing. */
export function secret() {
  return z
    .string()
    .min(1, "must not be empty")
    .refine((value) => value.length > 100 || !placeholder.test(value), {
      message: "is a placeholder of an example: put the real value in its place",
    })
    .transform((value) => new Secret(value));
}

/** Registers the login in a URL as a secret; the text may contain several URLs, separated by commas. */
function noteLogin(text: string): void {
  for (const part of text.split(",")) {
    // Up to the last @: a password that is not encoded may contain a slash.
    const login = /:\/\/(.*)@/.exec(part)?.[1] ?? "";
    const [user = "", ...password] = login.split(":");
    // A user name is no secret next to a password; alone it is a token.
    const value = password.length > 0 ? password.join(":") : user;
    for (const form of [value, decode(value)]) if (form !== "") known.add(form);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It is not URL-encoded; the plain form is registered anyway.
    return "";
  }
}

/** Schema of a server's URL, which may contain a password or a token. Stays a string for the client. */
export function urlWithLogin(description: string) {
  return z.string(description).transform((value) => {
    noteLogin(value);
    return value;
  });
}

/** Registers a token that expires as a secret, until sixteen newer ones are known. */
export function noteExpiringSecret(value: string): void {
  if (expiring.includes(value)) return;
  expiring.push(value);
  if (expiring.length > mostExpiring) expiring.shift();
}

/** The values of all secrets, and of the newest expiring tokens. */
export function listKnownSecrets(): readonly string[] {
  return [...known, ...expiring];
}

/** Reads a file whose content is a secret, and registers it. Throws the system's error. */
export function readSecretFile(path: string): string {
  const text = readFileSync(path, "utf8");
  // An empty text or a placeholder is no secret; the caller reports what is wrong with it.
  const noted = secret().safeParse(text);
  return noted.success ? noted.data.reveal() : text;
}
