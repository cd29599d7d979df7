import { describe, expect, it } from "vitest";

import { hideCredentials } from "./credential-shapes.ts";

// Assembled here, so that scanners of repositories do not report them.
const github = ["ghp", "Q7hW2mZk9TxR4vLb8NcY"].join("_");
const slack = ["xoxb", "271828182845", "Q7hW2mZk9TxR"].join("-");
const plain = "Q7hW2mZk9TxR";
/** Letters of base32, as such tokens consist of. */
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOPQRSTUVWX";
const seeds = ["U", "A", "O", "N", "C", "X"].map((kind) => `S${kind}${base32}`);
const pem = (kind: string): string => `-----BEGIN ${kind}-----\n${plain}\n-----END ${kind}-----\n`;
const encoded = Buffer.from(pem("EC PRIVATE KEY")).toString("base64");

describe("a credential that was never registered is redacted", () => {
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
    { name: "a key in a kubeconfig", text: `    client-key-data: ${encoded}\n    token: x` },
    { name: "a key in a kubeconfig as JSON", text: JSON.stringify({ user: { "client-key-data": encoded } }) },
    { name: "a key in base64 anywhere", text: `read ${encoded} from the file` },
    { name: "a password in YAML", text: `users:\n  - name: ana\n    password: ${plain}\n` },
    {
      name: "a password in YAML in a log line",
      text: JSON.stringify({ msg: `nats:\n  password: ${plain}\n  user: x` }),
    },
    { name: "a quoted password in YAML", text: `password: "${plain} and more"` },
    { name: "a password in single quotes", text: `password: '${plain} and more'` },
    { name: "a password in a flow of YAML", text: `{ user: ana, password: ${plain}, kind: x }` },
    { name: "a password in NATS' own file", text: `authorization { user: ana, pass: ${plain} }` },
    { name: "a token at the end of a message", text: `the file says token: ${plain}` },
    { name: "a password of Redis' own file", text: `requirepass ${plain}` },
    { name: "a password among Redis' options", text: `redis-server --requirepass ${plain} --port 1` },
    ...seeds.map((seed) => ({ name: `a seed of NATS: ${seed.slice(0, 2)}`, text: `what is ${seed}?` })),
    { name: "a credentials file of NATS", text: pem("USER NKEY SEED") },
    {
      name: "a web token of NATS",
      text: `-----BEGIN NATS USER JWT-----\neyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJ4In0.${plain}`,
    },
    { name: "a lasting key of Amazon", text: `what is AKIA${"Q7HW2MZK9TXRQ7HW"}?` },
    { name: "a passing key of Amazon", text: `what is ASIA${"Q7HW2MZK9TXRQ7HW"}?` },
    { name: "a secret of Amazon's own file", text: `aws_secret_access_key = ${plain}/+${plain}` },
    { name: "a session of Amazon", text: JSON.stringify({ SessionToken: plain, SecretAccessKey: plain }) },
    {
      name: "a fine-grained token of GitHub",
      text: `what is ${["github", "pat", `11ABCDEFG0${plain}4vLb8`].join("_")}?`,
    },
    { name: "an app's token of GitHub", text: `what is ${["ghs", `${plain}4vLb8NcY`].join("_")}?` },
    {
      name: "an app's token of GitHub that is a web token",
      text: `what is ${["ghs", `123456_eyJ0eXAiOiJKV1Qi.${plain}.${plain}`].join("_")}?`,
    },
    { name: "a user's token of Slack", text: `what is ${["xoxp", "1-2-3", plain].join("-")}?` },
    { name: "a renewable token of Slack", text: `what is ${["xoxe.xoxp", "1", plain].join("-")}?` },
    { name: "a key of Google's API", text: `what is ${["AIza", "SyQ7hW2mZk9TxR4vLb8NcYQ7hW2mZk9TxR4"].join("")}?` },
    { name: "a token of Vault", text: `what is ${["hvs", `${plain}4vLb8NcY`].join(".")}?` },
    { name: "a token of npm", text: `//registry/:_authToken=${["npm", `${plain}${plain}${plain}`].join("_")}` },
    { name: "a PGP key", text: pem("PGP PRIVATE KEY BLOCK") },
    { name: "an OpenSSH key", text: pem("OPENSSH PRIVATE KEY") },
    { name: "a Redis URL", text: `rediss://:${plain}@redis:6379/0 does not answer` },
    { name: "a Redis URL whose password has a slash", text: `redis://default:x/${plain}@redis:6379 does not answer` },
    { name: "a NATS URL whose password has a hash", text: `nats://planner:#${plain}@nats:4222` },
    { name: "a Basic header in lower case", text: `authorization: basic ${btoa(`me:${plain}`)}` },
    { name: "a proxy's header", text: `Proxy-Authorization: Basic ${btoa(`me:${plain}`)}` },
    { name: "a signed address", text: `https://s3.example/x?X-Amz-Signature=${plain}&X-Amz-Security-Token=${plain}` },
    { name: "a web token", text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${plain}` },
  ];
  it.each(cases)("$name", ({ text }) => {
    expect(hideCredentials(text)).toContain("[redacted]");
    for (const part of [plain, btoa(`me:${plain}`), github, slack, encoded, ...seeds, "Q7HW2MZK9TXRQ7HW"])
      expect(hideCredentials(text)).not.toContain(part);
  });
});

describe("text without a credential is not redacted", () => {
  const texts = [
    "basic functionality of the bearer",
    '{"reason":"RunStarted","message":"the run 8abdbc074a6d began"}',
    '{"scope":"run/8abdbc074a6d","who":"ana"}',
    '{"workload":"token-service/Deployment/secret-store"}',
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "see https://a/b, x@y.z",
    "MESHROLL_GIT_TOKEN: is not set",
    "password: must have 16 characters or more",
    "give the token: it stands in the settings",
    "gate passes: 3 of 4",
    "uses: actions/checkout@v4, https://github.com/actions/checkout@v4",
    "SUPERVISOR SATURDAY SOMETHING",
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

describe("a megabyte that was chosen to take long is redacted at once", () => {
  // A shape that scans the text again from each start would take minutes here.
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
    { name: "logins of Redis", part: "redis://a:" },
    { name: "fields of YAML", part: "password:  " },
    { name: "fields of YAML with words", part: "password: aaaa bbbb " },
    { name: "quotes that do not end", part: 'password: "a' },
    { name: "keys in base64", part: "LS0tLS1CRUdJTi" },
    { name: "seeds", part: "SUA" },
    { name: "options of Redis", part: "requirepass  " },
  ];
  it.each(cases)("$name", ({ part, end = "" }) => {
    const text = part.repeat(Math.floor(1_000_000 / part.length)) + end;
    expect(hideCredentials(text).length).toBeLessThanOrEqual(text.length * 2);
  });
});
