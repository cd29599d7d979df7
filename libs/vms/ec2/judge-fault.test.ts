import { describe, expect, it } from "vitest";

import { judgeEc2Fault } from "./judge-fault.ts";

/** An error as the SDK throws it for an answer of EC2. */
function answer(name: string, status: number, message = "no"): Error {
  const error = new Error(message);
  return Object.assign(error, {
    name,
    $fault: status < 500 ? "client" : "server",
    $metadata: { httpStatusCode: status },
  });
}

const secret = `You are not authorized. Encoded authorization failure message: ${"Qm".repeat(600)}`;

describe("judgeEc2Fault", () => {
  const cases = [
    { name: "an instance that is gone", error: answer("InvalidInstanceID.NotFound", 400), want: { kind: "gone" } },
    { name: "a name that is no instance's", error: answer("InvalidInstanceID.Malformed", 400), want: { kind: "gone" } },
    {
      name: "a missing right, without the text that only AWS reads",
      error: answer("UnauthorizedOperation", 403, secret),
      want: {
        kind: "refused",
        why:
          "the executor's IAM role lacks the right ec2:CreateTags: add it as in docs/how-to/vms-on-ec2.md " +
          "(UnauthorizedOperation: You are not authorized.)",
      },
    },
    {
      name: "too many tags",
      error: answer("TagLimitExceeded", 400, "50 tags"),
      want: { kind: "refused", why: "ec2:CreateTags: TagLimitExceeded: 50 tags" },
    },
    {
      name: "a wrong login",
      error: answer("AuthFailure", 401, "not able to validate"),
      want: { kind: "refused", why: "ec2:CreateTags: AuthFailure: not able to validate" },
    },
    {
      name: "no login",
      error: Object.assign(new Error("Could not load credentials"), { name: "CredentialsProviderError" }),
      want: {
        kind: "refused",
        why: "there are no AWS credentials (Could not load credentials): give the executor an IAM role, docs/how-to/vms-on-ec2.md",
      },
    },
    {
      name: "no region",
      error: new Error("Region is missing"),
      want: { kind: "refused", why: "the AWS region is not set: set AWS_REGION for the executor" },
    },
    { name: "throttling", error: answer("RequestLimitExceeded", 503), want: { kind: "unavailable" } },
    {
      name: "throttling with a status of the 400 series",
      error: answer("Throttling", 400),
      want: { kind: "unavailable" },
    },
    { name: "two who tag at once", error: answer("ConcurrentTagAccess", 400), want: { kind: "unavailable" } },
    { name: "a fault of EC2", error: answer("InternalError", 500), want: { kind: "unavailable" } },
    {
      name: "a connection that is cut",
      error: Object.assign(new Error("socket hang up"), { name: "TimeoutError", code: "ECONNRESET" }),
      want: { kind: "unavailable", why: "ec2:CreateTags: TimeoutError: socket hang up" },
    },
    { name: "what is no error", error: "x", want: { kind: "unavailable", why: "ec2:CreateTags: Error: x" } },
  ];
  it.each(cases)("$name", ({ error, want }) => {
    expect(judgeEc2Fault(error, "ec2:CreateTags")).toMatchObject(want);
  });
});
