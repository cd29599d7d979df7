import { expect, it } from "vitest";

import { RedactedError } from "./redact-secrets.ts";
import { secret } from "./secret.ts";

const known = secret().parse("Q7hW2mZk9TxR4vLb").reveal();

it.each([
  { name: "a secret of this process", said: `fatal: ${known} is not welcome` },
  { name: "a secret of this process in base64", said: `Basic ${Buffer.from(`x:${known}`).toString("base64")}` },
  { name: "a login in an address", said: `unable to access 'https://me:${known}@host/'` },
  { name: "a token that we were not told", said: "unable to access 'https://ghp_Q7hW2mZk9TxR4vLb8NcY@host/'" },
])("the message of an error of an outside thing does not hold $name", ({ said }) => {
  const error = new RedactedError(said);
  expect(error.message).toContain("[redacted]");
  expect(`${error.message} ${String(error)} ${error.stack}`).not.toMatch(/Q7hW2mZk9TxR4vLb|UTdoVzJtWms5VHhSNHZMYg/);
});
