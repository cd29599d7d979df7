/** What any program needs: PATH and home, language, temporary files, CA certificates, proxies. */
const plain: ReadonlySet<string> = new Set(
  [
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR"],
    ["SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ].flat(),
);

/** Names that begin so: the language, the folders of a user, and how the plugins of Amazon, Google and Azure log in. */
const prefixes = ["LC_", "XDG_", "AWS_", "GOOGLE_", "CLOUDSDK_", "AZURE_", "AAD_"] as const;

/**
 * The variables of this process that a credential plugin gets. It is another vendor's program and must not see the passwords of
 * NATS, Redis and git. Other variables that it needs are in the kubeconfig, under `exec.env`.
 */
export function chooseVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const chosen = Object.entries(env).filter(
    ([name]) => plain.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(chosen);
}
