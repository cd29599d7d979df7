const apps = String.raw`apps\/v1\/namespaces\/[^/]+\/(?:deployments|statefulsets|daemonsets)`;
const argo = String.raw`argoproj\.io\/v1alpha1\/namespaces\/[^/]+\/rollouts`;

/** An object with a pod template that meshroll changes. */
export const workloadPath = new RegExp(String.raw`^\/apis\/(?:${apps}|${argo})\/[^/]+$`, "u");
