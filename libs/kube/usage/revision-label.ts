/** Istio's label: the revision or tag that injects, or that reads an object of Istio's configuration. */
export const revisionLabel = "istio.io/rev";
