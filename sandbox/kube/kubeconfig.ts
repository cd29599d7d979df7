/** A kubeconfig for a plain HTTP server. Clients refuse plain HTTP unless certificates are not checked. */
export function renderKubeconfig(name: string, server: string, token: string | undefined): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${name}
    cluster:
      server: ${server}
      insecure-skip-tls-verify: true
contexts:
  - name: ${name}
    context:
      cluster: ${name}
      user: ${name}
current-context: ${name}
users:
  - name: ${name}
    user: ${token === undefined ? "{}" : `{ token: ${JSON.stringify(token)} }`}
`;
}
