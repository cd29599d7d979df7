import { inspect } from "node:util";
import { z } from "zod";
import { readFileSync } from "node:fs";

const shown = "[secret]";

/** Every secret of this process, so that no logger has to be told which values it must not print. */
const known = new Set<string>();

/** Tokens that end are made again each hour: the newest of them, as many as can be in use. */
const passing: string[] = [];
const mostPassing = 16;

/** A value that no log, message or JSON shows: only `reveal` gives it. Made by `secret()` alone. */
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

/** Schema of a secret variable. A value copied from an example is refused: it protects nothing, and looks as if it did. */
export function secret() {
  return z
    .string()
    .min(1, "must not be empty")
    .refine((value) => value.length > 100 || !placeholder.test(value), {
      message: "is a placeholder of an example: put the real value in its place",
    })
    .transform((value) => new Secret(value));
}

/** Notes who logs in by this URL, so that no later message shows it; several URLs may be parted by commas. */
function noteLogin(text: string): void {
  for (const part of text.split(",")) {
    // To the last @: a password that is not encoded may have a slash in it.
    const login = /:\/\/(.*)@/.exec(part)?.[1] ?? "";
    const [user = "", ...password] = login.split(":");
    // A user's name with a password is no secret; one alone is a token.
    const value = password.length > 0 ? password.join(":") : user;
    for (const form of [value, decode(value)]) if (form !== "") known.add(form);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No URL encoding after all: as it stands it is noted anyway.
    return "";
  }
}

/** Schema of the address of a server, which may hold a password or a token; it stays a text for its client. */
export function urlWithLogin(description: string) {
  return z.string(description).transform((value) => {
    noteLogin(value);
    return value;
  });
}

/** Notes a token that ends by itself: no log and no message shows it, until sixteen newer ones are known. */
export function notePassingSecret(value: string): void {
  if (passing.includes(value)) return;
  passing.push(value);
  if (passing.length > mostPassing) passing.shift();
}

/** The values of all secrets made so far; of tokens that end, the newest. */
export function listKnownSecrets(): readonly string[] {
  return [...known, ...passing];
}

/** The text of a file that is a secret; from now on no log and no message of this process shows it. Throws what the disk says. */
export function readSecretFile(path: string): string {
  const text = readFileSync(path, "utf8");
  // An empty one, or a placeholder, is no secret: its reader reports what is wrong with it.
  const noted = secret().safeParse(text);
  return noted.success ? noted.data.reveal() : text;
}
