/** How to correct the kubeconfig, by Node's error code. */
const fixes: readonly (readonly [codes: RegExp, fix: string])[] = [
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED)$/u,
    "the certificate-authority in the kubeconfig is not the one that signed this server's certificate: take this cluster's own",
  ],
  [/^CERT_HAS_EXPIRED$/u, "renew the API server's certificate, or set this machine's clock"],
  [/^CERT_NOT_YET_VALID$/u, "set this machine's clock, or the API server's"],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/u,
    "name the server in the kubeconfig as its certificate does, or set tls-server-name there",
  ],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/u, "check server in the kubeconfig, and DNS"],
  [
    /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/u,
    "check server in the kubeconfig, and the way there",
  ],
  [/^(?:EPROTO|ERR_SSL_[A-Z_]+)$/u, "check server in the kubeconfig: no TLS is spoken there"],
  [
    /^ERR_OSSL_[A-Z0-9_]+$/u,
    "check certificate-authority, client-certificate and client-key in the kubeconfig: PEM that belongs together",
  ],
];

/** Advice for an error code of Node, such as `ECONNREFUSED`; undefined where the kubeconfig is not the cause. */
export function nameConnectionFix(code: unknown): string | undefined {
  return typeof code === "string" ? fixes.find(([codes]) => codes.test(code))?.[1] : undefined;
}
