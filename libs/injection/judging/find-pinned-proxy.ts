import { findInjectedImage, istioKeys, nameProxy, type Planes, type PodTemplate, type Workload } from "#libs/fleet";

/** A sidecar of another image than its revision injects. */
export interface PinnedProxy {
  /** What its pods run. */
  readonly image: string;
  /** The image that the revision injects here; absent = not known. */
  readonly injects?: string;
  /** What pins it in the template; absent = nothing in the template does. */
  readonly by?: ProxyPin["by"];
}

interface ProxyPin {
  readonly image: string;
  readonly by: "sidecar.istio.io/proxyImage" | "container istio-proxy";
}

/** The image that the owner chose in place of the injector's. */
export function readPin({ annotations, proxyImage }: PodTemplate): ProxyPin | undefined {
  if (proxyImage !== undefined) return { image: proxyImage, by: "container istio-proxy" };
  const image = annotations[istioKeys.proxyImage];
  return image === undefined ? undefined : { image, by: istioKeys.proxyImage };
}

function isSameProxy(a: string, b: string | undefined): boolean {
  return b !== undefined && nameProxy(a) === nameProxy(b);
}

/**
 * The image that the pods run in place of the one that their revision injects; undefined where they are the same, or where
 * nothing is known. Without a pin in the template the most frequent image counts as right too: after an upgrade in place older
 * pods still have the earlier one.
 */
export function findPinnedProxy(
  { template, pods }: Pick<Workload, "template" | "pods">,
  target: string,
  revision: string,
  cluster: Planes,
): PinnedProxy | undefined {
  const pin = readPin(template);
  // Nothing says that any of them runs another one than its revision's usual one.
  if (pin === undefined && pods.every(({ image }) => image === undefined)) return undefined;
  const usual = cluster.revisions.find(({ name }) => name === revision)?.proxyImage;
  const injects = findInjectedImage(cluster, target) ?? findInjectedImage(cluster, revision);
  const allowed = pin === undefined ? [injects, usual] : [injects ?? usual];
  const own = pods.filter((group) => group.revision === revision && group.count > 0);
  const images = own.flatMap((group) => group.image ?? usual ?? pin?.image ?? []);
  const image = images.find((each) => !allowed.some((right) => isSameProxy(each, right)));
  return image === undefined ? undefined : describe(image, injects, pin);
}

function describe(image: string, injects: string | undefined, pin: ProxyPin | undefined): PinnedProxy {
  return { image, ...(injects === undefined ? {} : { injects }), ...(pin === undefined ? {} : { by: pin.by }) };
}

/** The image that the template asks for, before a pod on the target shows it; undefined where it is the injected one. */
export function foreseePinnedProxy(template: PodTemplate, target: string, cluster: Planes): PinnedProxy | undefined {
  const pin = readPin(template);
  const injects = findInjectedImage(cluster, target);
  if (pin === undefined || isSameProxy(pin.image, injects)) return undefined;
  return describe(pin.image, injects, pin);
}
