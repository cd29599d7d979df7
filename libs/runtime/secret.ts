import { inspect } from "node:util";
import { z } from "zod";

const shown = "[secret]";

/** Every secret of this process, so that no logger has to be told which values it must not print. */
const known = new Set<string>();

/** A value that no log, message or JSON shows: only `reveal` gives it. @internal made by `secret()` alone */
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

/** Schema of a secret variable. */
export function secret() {
  return z
    .string()
    .min(1, "must not be empty")
    .transform((value) => new Secret(value));
}

/** The values of all secrets made so far. */
export function listKnownSecrets(): ReadonlySet<string> {
  return known;
}
