/** An API server as a kubeconfig names it; its name is that of cluster, context and user. */
export interface KubeAddress {
  readonly name: string;
  readonly url: string;
  readonly token: string | undefined;
}

function describeUser(token: string | undefined): string {
  return token === undefined ? "{}" : `{ token: ${JSON.stringify(token)} }`;
}

/**
 * A kubeconfig for plain HTTP servers; the first one's context is the current one. Clients refuse plain HTTP unless
 * certificates are not checked.
 */
export function renderKubeconfig(servers: readonly KubeAddress[]): string {
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    ...servers.map(
      ({ name, url }) => `  - name: ${name}\n    cluster: { server: "${url}", insecure-skip-tls-verify: true }`,
    ),
    "contexts:",
    ...servers.map(({ name }) => `  - name: ${name}\n    context: { cluster: ${name}, user: ${name} }`),
    `current-context: ${servers[0]?.name ?? ""}`,
    "users:",
    ...servers.map(({ name, token }) => `  - name: ${name}\n    user: ${describeUser(token)}`),
    "",
  ].join("\n");
}
