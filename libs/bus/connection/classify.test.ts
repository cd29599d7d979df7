import { JetStreamApiError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { expect, it } from "vitest";

import { classify } from "./classify.ts";

const api = (err_code: number, code = 400) =>
  new JetStreamApiError({ code, err_code, description: "words of a server" });

it.each([
  { name: "a stream that is gone", error: api(10059, 404), want: "not done" },
  { name: "a stream that another process just makes", error: api(10058), want: "not done" },
  { name: "a consumer that was lost with the server", error: api(10014, 404), want: "not done" },
  { name: "a server that is not ready yet", error: api(10008, 503), want: "not done" },
  { name: "a server that is too full", error: api(10047), want: "refused" },
  {
    name: "a server that is too full, with the status of one that is not ready",
    error: api(10023, 503),
    want: "refused",
  },
  { name: "no answer in time", error: new errors.TimeoutError(), want: "unknown" },
  { name: "a lost connection", error: new errors.ClosedConnectionError(), want: "unknown" },
  { name: "an invalid subject", error: new errors.InvalidSubjectError("a b"), want: "refused" },
  { name: "a fault of our own", error: new TypeError("x is not a function"), want: "refused" },
])("$name: $want", ({ error, want }) => {
  expect(classify(error)).toBe(want);
});
