import { describe, expect, it } from "vitest";

import { hideCredentials } from "./credential-shapes.ts";

// Put together here, so that no scanner of repositories takes them for real ones.
const github = ["ghp", "Q7hW2mZk9TxR4vLb8NcY"].join("_");
const slack = ["xoxb", "271828182845", "Q7hW2mZk9TxR"].join("-");
const plain = "Q7hW2mZk9TxR";

describe("nobody told us this credential, and it does not get through", () => {
  const cases = [
    { name: "a field called token", text: JSON.stringify({ token: plain }) },
    { name: "a field with a quote in it", text: JSON.stringify({ client_secret: `a"${plain}` }) },
    { name: "a header of a request", text: JSON.stringify({ headers: { Authorization: `Custom ${plain}` } }) },
    { name: "a list of cookies", text: JSON.stringify({ "set-cookie": [`a=${plain}`, `b=${plain}`] }) },
    { name: "JSON in a message", text: JSON.stringify({ msg: JSON.stringify({ authorization: `token ${plain}` }) }) },
    { name: "raw headers", text: JSON.stringify(["Authorization", `token ${plain}`]) },
    { name: "a header as text", text: `> Authorization: token ${plain}` },
    { name: "git's extra header", text: `-c http.extraHeader=Authorization: Basic ${btoa(`me:${plain}`)}` },
    { name: "a bearer in prose", text: `sent bearer ${plain} to the server` },
    { name: "a basic in prose", text: `sent Basic ${btoa(`me:${plain}`)} to the server` },
    { name: "a query", text: `GET /hook?access_token=${plain}&x=1` },
    { name: "a variable of a shell", text: `MESHROLL_GIT_TOKEN=${plain} git fetch` },
    { name: "an option of a program", text: `--set password=${plain}` },
    { name: "a token of GitLab", text: `what is ${["glpat", `${plain}4vLb8NcY`].join("-")}?` },
    { name: "a token of an Amazon cluster", text: `what is ${["k8s-aws-v1", plain].join(".")}?` },
    { name: "a token of a Google cluster", text: `what is ${["ya29", plain].join(".")}?` },
    { name: "a login in a URL", text: `https://me:${plain}@host/x` },
    { name: "a password with an at sign", text: `https://me:p@${plain}@host/x` },
    { name: "a token of GitHub anywhere", text: `what is ${github}?` },
    { name: "a token of Slack anywhere", text: `what is ${slack}?` },
    { name: "a webhook of Slack", text: `https://hooks.slack.com/services/T0/B0/${plain}` },
    { name: "a private key", text: `-----BEGIN RSA PRIVATE KEY-----\n${plain}\n-----END RSA PRIVATE KEY-----` },
    { name: "a private key that was cut off", text: `-----BEGIN PRIVATE KEY-----\\n${plain}` },
    { name: "a web token", text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${plain}` },
  ];
  it.each(cases)("$name", ({ text }) => {
    expect(hideCredentials(text)).toContain("[redacted]");
    for (const part of [plain, btoa(`me:${plain}`), github, slack]) expect(hideCredentials(text)).not.toContain(part);
  });
});

describe("what is no credential gets through", () => {
  const texts = [
    "basic functionality of the bearer",
    '{"reason":"RunStarted","message":"the run 8abdbc074a6d began"}',
    '{"scope":"run/8abdbc074a6d","who":"ana"}',
    '{"workload":"token-service/Deployment/secret-store"}',
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "see https://a/b, x@y.z",
    "MESHROLL_GIT_TOKEN: is not set",
  ];
  it.each(texts)("%s", (text) => expect(hideCredentials(text)).toBe(text));
});

it("a line stays JSON", () => {
  const line = JSON.stringify({ token: plain, list: [1], msg: `Authorization: Bearer ${plain}"`, cookie: ["a"] });
  expect(JSON.parse(hideCredentials(line))).toEqual({
    token: "[redacted]",
    list: [1],
    msg: 'Authorization: [redacted]"',
    cookie: "[redacted]",
  });
});

describe("a megabyte that was chosen to keep the process busy is read at once", () => {
  // What is read over again from each of its starts takes minutes here: far longer than a test may.
  const cases = [
    { name: "names and marks", part: `"token ://-----BEGIN PRIVATE KEY ` },
    { name: "backslashes", part: "\\" },
    { name: "lists that do not end", part: '"token":[' },
    { name: "texts that do not end", part: '"token":"\\"' },
    { name: "web tokens that do not end", part: "-eyJaaaaaaaa" },
    { name: "web tokens with one dot", part: "-eyJaaaaaaaa", end: `.${"a".repeat(500_000)}` },
    { name: "words without an end", part: "token" },
    { name: "spaces behind a header", part: "authorization  " },
    { name: "backslashes behind a header", part: "authorization\\\\" },
    { name: "spaces behind a field", part: '"token"   ' },
    { name: "private keys that do not end", part: "-----BEGIN PRIVATE KEY----- -----END A A A A" },
    { name: "queries", part: "?token" },
    { name: "bearers", part: "bearer  " },
    { name: "logins", part: "://a:" },
  ];
  it.each(cases)("$name", ({ part, end = "" }) => {
    const text = part.repeat(Math.floor(1_000_000 / part.length)) + end;
    expect(hideCredentials(text).length).toBeLessThanOrEqual(text.length * 2);
  });
});
