export { renderKubeconfig } from "./kubeconfig.ts";
export { type KubeServer, type KubeServerOptions, startKube } from "./start-kube.ts";
export type { HttpFaults } from "./http-faults.ts";
