/** What any program needs to run: its commands and home, the language, temporary files, whom TLS trusts, the way out. */
const plain: ReadonlySet<string> = new Set(
  [
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR"],
    ["SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ].flat(),
);

/** Names that begin so: the language, the folders of a user, and how the plugins of Amazon, Google and Azure log in. */
const prefixes = ["LC_", "XDG_", "AWS_", "GOOGLE_", "CLOUDSDK_", "AZURE_", "AAD_"] as const;

/**
 * What a credential plugin gets of this process's variables: it is a program of others, and the passwords of the bus, the queue
 * and git are none of its business. All else that it needs stands in the kubeconfig, in `exec.env`.
 */
export function chooseVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const chosen = Object.entries(env).filter(
    ([name]) => plain.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(chosen);
}
