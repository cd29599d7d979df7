/** A workload with lines of its template, at the column of `metadata`. */
export function writeWorkload(
  template: string,
  { kind = "Deployment", apiVersion = "apps/v1", above = "", namespace = "  namespace: shop\n" } = {},
) {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: cart
${namespace}${above}spec:
  template:
${template}    spec:
      containers: []
`;
}

export const plain = "    metadata:\n      labels:\n        app: cart\n";
