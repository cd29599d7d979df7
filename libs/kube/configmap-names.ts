/** The namespace of meshroll's ConfigMaps in each cluster. */
export const STOPS_NAMESPACE = "meshroll-system";
/** Placed by people: while it exists the cluster is stopped. Only kubectl removes it. */
export const KUBECTL_STOP = "meshroll-stop";
/** Written once by the executor, and never changed by meshroll: the installation that serves this cluster. */
export const INSTALLATION = "meshroll-installation";
/** Written by the executor: one entry for each stop, by its record id. */
export const RECORDED_STOPS = "meshroll-recorded-stops";
/** Written by the executor, one in each managed namespace: which new pods get which revision. */
export const ADMISSION = "meshroll-admission";
