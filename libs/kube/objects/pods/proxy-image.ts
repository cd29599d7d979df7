import type { ApiPodSpec } from "../../api-types.ts";

/** Longer texts are no image's name. */
const longestImage = 512;
const proxyContainer = "istio-proxy";

/** Image of the sidecar: a container, or as a native one an init container that never ends. */
export function readProxyImage({ containers = [], initContainers = [] }: ApiPodSpec): string | undefined {
  const isProxy = ({ name }: { readonly name?: string }): boolean => name === proxyContainer;
  return (containers.find(isProxy) ?? initContainers.find(isProxy))?.image?.slice(0, longestImage);
}
