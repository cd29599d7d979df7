import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Users with a client certificate: group and name. */
const people = {
  admin: "/O=system:masters/CN=admin",
  "controller-manager": "/CN=system:kube-controller-manager",
  scheduler: "/CN=system:kube-scheduler",
} as const;

export type Person = keyof typeof people;

/** Files of a cluster's public key infrastructure. */
export interface Certificates {
  readonly authority: string;
  readonly server: { readonly cert: string; readonly key: string };
  /** Signs the tokens of ServiceAccounts. */
  readonly tokenKey: string;
  of(person: Person): { readonly cert: string; readonly key: string };
}

const newKey = ["-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
const serverNames = ["DNS:localhost", "DNS:kubernetes", "DNS:kubernetes.default", "DNS:kubernetes.default.svc"];
const serverAddresses = ["IP:127.0.0.1", "IP:10.0.0.1"];

function sign(folder: string, name: string, subject: string, names: readonly string[]): void {
  const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const usage = ["keyUsage=digitalSignature,keyEncipherment", "extendedKeyUsage=serverAuth,clientAuth"];
  const alternative = names.length === 0 ? [] : [`subjectAltName=${names.join(",")}`];
  writeFileSync(join(folder, `${name}.ext`), `${[...usage, ...alternative].join("\n")}\n`);
  openssl("req", ...newKey, "-keyout", `${name}.key`, "-subj", subject, "-out", `${name}.csr`);
  const authority = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"];
  openssl("x509", "-req", "-in", `${name}.csr`, ...authority, "-extfile", `${name}.ext`, "-out", `${name}.crt`);
}

/** Creates the files in `folder`. They are valid for two days, and only for loopback addresses. */
export function makeCertificates(folder: string): Certificates {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string) => ({ cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) });
  const authority = ["-keyout", "ca.key", "-subj", "/CN=kube-ca", "-days", "2", "-out", "ca.crt"];
  execFileSync("openssl", ["req", "-x509", ...newKey, ...authority], { cwd: folder, stdio: "ignore" });
  sign(folder, "server", "/CN=kube-apiserver", [...serverNames, ...serverAddresses]);
  for (const [name, subject] of Object.entries(people)) sign(folder, name, subject, []);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const tokenKey = join(folder, "tokens.key");
  writeFileSync(tokenKey, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
  return { authority: join(folder, "ca.crt"), server: at("server"), tokenKey, of: at };
}
