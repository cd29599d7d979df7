/** Stands in the place of what was taken out. */
export const redacted = "[redacted]";

/** Names of fields and headers whose value is a credential, whatever it looks like. */
const names = [
  "authorization|cookie|password|passwd|passphrase|pass|secret|token|credential|signature|seed|nkey",
  "private[-_]?key|api[-_]?key|access[-_]?key|key-data",
].join("|");

/**
 * What any shape of a named field needs, and most texts do not have: one reconcile for it costs a fifth of what the shapes cost, and
 * a status of a megabyte is written each few seconds. The shapes of variables likewise.
 */
const anyField = new RegExp(String.raw`(?:${names})\\*"?\s*:`, "i");

const anyVariable = /(?:token|secret|password|passwd|api_?key)=/i;

type Shape = readonly [shape: RegExp, instead: string];

/**
 * What a credential looks like when its value was never registered: one of a library, of a kubeconfig, of a URL. A tenant
 * may choose what is logged, a megabyte of it: so a part without a bound must not be reached from many starts and then fail.
 * Either it is bounded, or it also matches at the end of the text, or one character stands before it that it cannot contain.
 */
const fields: readonly Shape[] = [
  // "token":"…" and "set-cookie":["…"], in the line's own JSON …
  [new RegExp(String.raw`("[\w-]{0,40}(?:${names})"\s*:\s*)"(?:[^"\\]|\\.)*"`, "gi"), `$1"${redacted}"`],
  [new RegExp(String.raw`("[\w-]{0,40}(?:${names})"\s*:\s*)\[[^\]]*(?:\]|$)`, "gi"), `$1"${redacted}"`],
  // … and in JSON that is a text inside of it.
  [new RegExp(String.raw`(\\"[\w-]{0,40}(?:${names})\\+"\s*:\s*\\+")[^"\\]*`, "gi"), `$1${redacted}`],
  // A field of YAML or of NATS' own file. Prose follows "token:", too: a credential is one word, and nothing comes behind it; or
  // it stands in quotes.
  [
    new RegExp(String.raw`\b([\w-]{0,40}(?:${names})\s{0,4}:\s{1,4})[^\s"'\\,{}[\]]+(?=\s{0,4}(?:$|[\n\\,}"']))`, "gi"),
    `$1${redacted}`,
  ],
  [new RegExp(String.raw`\b([\w-]{0,40}(?:${names})\s{0,4}:\s{1,4})"[^"\n]*(?:"|$|\n)`, "gi"), `$1"${redacted}"`],
  [new RegExp(String.raw`\b([\w-]{0,40}(?:${names})\s{0,4}:\s{1,4})'[^'\n]*(?:'|$|\n)`, "gi"), `$1'${redacted}'`],
];

const variables: readonly Shape[] = [
  // A variable with its value, as a shell or a program's usage prints it.
  [/(\b\w{0,40}(?:token|secret|password|passwd|api_?key)=)(?!\[)[^\s"'&;,\\]+/gi, `$1${redacted}`],
];

const shapes: readonly Shape[] = [
  // Headers as text, as curl, git and Node's rawHeaders print them.
  [
    /(\bauthorization\\*["']?\s*[:=,]\s*\\*["']?)(?:(?:bearer|basic|token|negotiate)\s+)?[^\s"'\\,;]+/gi,
    `$1${redacted}`,
  ],
  // A word of prose follows "basic", too: a credential is long or has a digit.
  [/\b(bearer|basic)\s+(?=[\w.~+/-]{20}|[\w.~+/-]{0,20}[\d=])[\w.~+/=-]{6,}/gi, `$1 ${redacted}`],
  [/([?&;](?:x-amz-[a-z-]{0,30}|access_token|token|key|secret|signature|password|sig)=)[^&\s"'\\]+/gi, `$1${redacted}`],
  // Redis' own file and options; Amazon's own file.
  [/(\b(?:requirepass|masterauth)\s{1,4})[^\s"'\\]+/gi, `$1${redacted}`],
  [/(\baws_\w{0,40}(?:key|token)\s{1,4}=\s{1,4})[^\s"'\\]+/gi, `$1${redacted}`],
  // GitLab, Amazon's and Google's clusters, Google's API, Vault, npm.
  [
    /\b(?:gl[a-z]{2,6}-[\w-]{20,}|k8s-aws-v1\.[\w-]{10,}|ya29\.[\w-]{10,}|AIza[\w-]{35}|hv[sb]\.[\w-]{16,}|npm_\w{30,})/g,
    redacted,
  ],
  // Seeds of NATS: users, accounts, operators, servers, clusters, curves.
  [/\bS[UAONCX][A-Z2-7]{56}\b/g, redacted],
  // What begins like a PEM file, in base64, as kubeconfigs have keys.
  [/LS0tLS1CRUdJTi[\w+/=-]*/g, redacted],
  // GitHub, Slack, AWS, JSON web tokens, private keys.
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
  // Who logs in by a URL; passwords of brokers are often not encoded, and a slash or a hash stands in them.
  [/\b((?:rediss?|nats|tls|wss?|amqps?|postgres(?:ql)?|mysql|mongodb):\/\/)[^\s"'\\@]{1,300}@/g, `$1${redacted}@`],
  [/:\/\/[^\s/"\\]+@/g, `://${redacted}@`],
];

/** Text -> the same without what has the shape of a credential. */
export function hideCredentials(text: string): string {
  const all = [...(anyField.test(text) ? fields : []), ...(anyVariable.test(text) ? variables : []), ...shapes];
  return all.reduce((rest, [shape, instead]) => rest.replaceAll(shape, instead), text);
}
