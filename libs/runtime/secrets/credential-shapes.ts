/** The text that replaces a secret. */
export const redacted = "[redacted]";

/** Names of fields and headers whose value is always a credential. */
const names = [
  "authorization|cookie|password|passwd|passphrase|pass|secret|token|credential|signature|seed|nkey",
  "private[-_]?key|api[-_]?key|access[-_]?key|key-data",
].join("|");

/**
 * Quick test for any field of `fields`, at a fifth of the cost: most texts have none, and a status of a megabyte is written
 * every few seconds. `anyVariable` is the same for `variables`.
 */
const anyField = new RegExp(String.raw`(?:${names})\\*"?\s*:`, "i");

const anyVariable = /(?:token|secret|password|passwd|api_?key)=/i;

type Shape = readonly [shape: RegExp, instead: string];

/**
 * Shapes of credentials that were never registered as a `Secret`, such as those of a library, a kubeconfig or a URL. Tenants
 * choose some of the logged text, up to a megabyte, so no shape may need quadratic time: each unbounded part must also match at
 * the end of the text, or follow a character that it cannot contain.
 */
const fields: readonly Shape[] = [
  // `"token":"…"` and `"set-cookie":["…"]` in JSON.
  [new RegExp(String.raw`("[\w-]{0,40}(?:${names})"\s*:\s*)"(?:[^"\\]|\\.)*"`, "gi"), `$1"${redacted}"`],
  [new RegExp(String.raw`("[\w-]{0,40}(?:${names})"\s*:\s*)\[[^\]]*(?:\]|$)`, "gi"), `$1"${redacted}"`],
  // The same in JSON inside of a JSON string.
  [new RegExp(String.raw`(\\"[\w-]{0,40}(?:${names})\\+"\s*:\s*\\+")[^"\\]*`, "gi"), `$1${redacted}`],
  // A field of YAML or of NATS' configuration. "token:" also occurs in prose, so the value must be one word at the end of
  // the line, or quoted.
  [
    new RegExp(String.raw`\b([\w-]{0,40}(?:${names})\s{0,4}:\s{1,4})[^\s"'\\,{}[\]]+(?=\s{0,4}(?:$|[\n\\,}"']))`, "gi"),
    `$1${redacted}`,
  ],
  [new RegExp(String.raw`\b([\w-]{0,40}(?:${names})\s{0,4}:\s{1,4})"[^"\n]*(?:"|$|\n)`, "gi"), `$1"${redacted}"`],
  [new RegExp(String.raw`\b([\w-]{0,40}(?:${names})\s{0,4}:\s{1,4})'[^'\n]*(?:'|$|\n)`, "gi"), `$1'${redacted}'`],
];

const variables: readonly Shape[] = [
  // A variable with its value, as shells and usage texts print it.
  [/(\b\w{0,40}(?:token|secret|password|passwd|api_?key)=)(?!\[)[^\s"'&;,\\]+/gi, `$1${redacted}`],
];

const shapes: readonly Shape[] = [
  // Headers as text, in the forms of curl, git and Node's rawHeaders.
  [
    /(\bauthorization\\*["']?\s*[:=,]\s*\\*["']?)(?:(?:bearer|basic|token|negotiate)\s+)?[^\s"'\\,;]+/gi,
    `$1${redacted}`,
  ],
  // "basic" also occurs in prose, so the value must be long or have a digit.
  [/\b(bearer|basic)\s+(?=[\w.~+/-]{20}|[\w.~+/-]{0,20}[\d=])[\w.~+/=-]{6,}/gi, `$1 ${redacted}`],
  [/([?&;](?:x-amz-[a-z-]{0,30}|access_token|token|key|secret|signature|password|sig)=)[^&\s"'\\]+/gi, `$1${redacted}`],
  // Configuration and options of Redis; the credentials file of AWS.
  [/(\b(?:requirepass|masterauth)\s{1,4})[^\s"'\\]+/gi, `$1${redacted}`],
  [/(\baws_\w{0,40}(?:key|token)\s{1,4}=\s{1,4})[^\s"'\\]+/gi, `$1${redacted}`],
  // Tokens of GitLab, EKS, Google (OAuth and API keys), Vault and npm.
  [
    /\b(?:gl[a-z]{2,6}-[\w-]{20,}|k8s-aws-v1\.[\w-]{10,}|ya29\.[\w-]{10,}|AIza[\w-]{35}|hv[sb]\.[\w-]{16,}|npm_\w{30,})/g,
    redacted,
  ],
  // NATS seeds: users, accounts, operators, servers, clusters, curve keys.
  [/\bS[UAONCX][A-Z2-7]{56}\b/g, redacted],
  // PEM in base64, as kubeconfigs contain keys.
  [/LS0tLS1CRUdJTi[\w+/=-]*/g, redacted],
  // Tokens of GitHub, Slack and AWS, JSON web tokens, Slack webhooks, private keys.
  [
    /\b(?:gh[opsur]_\w{16,}(?:\.[\w-]{8,4000}){0,2}|github_pat_\w{20,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|A[KS]IA[\dA-Z]{16})/g,
    redacted,
  ],
  [/\beyJ[\w-]{8,500}\.[\w-]{8,4000}\.?[\w-]*/g, redacted],
  [/\b(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[^\s"'\\]+/g, `$1${redacted}`],
  [
    /-----BEGIN [A-Z ]{0,20}(?:PRIVATE KEY|NKEY SEED)(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,20}(?:PRIVATE KEY|NKEY SEED)|$)/g,
    redacted,
  ],
  // The login in a URL. Passwords of brokers are often not encoded and contain a slash or a hash.
  [/\b((?:rediss?|nats|tls|wss?|amqps?|postgres(?:ql)?|mysql|mongodb):\/\/)[^\s"'\\@]{1,300}@/g, `$1${redacted}@`],
  [/:\/\/[^\s/"\\]+@/g, `://${redacted}@`],
];

/** The text with everything replaced that has the shape of a credential. */
export function hideCredentials(text: string): string {
  const all = [...(anyField.test(text) ? fields : []), ...(anyVariable.test(text) ? variables : []), ...shapes];
  return all.reduce((rest, [shape, instead]) => rest.replaceAll(shape, instead), text);
}
