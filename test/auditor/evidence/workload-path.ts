/** An object with a pod template that meshroll changes. */
export const workloadPath =
  /^\/apis\/(?:apps\/v1\/namespaces\/[^/]+\/(?:deployments|statefulsets|daemonsets)|argoproj\.io\/v1alpha1\/namespaces\/[^/]+\/rollouts)\/[^/]+$/u;
