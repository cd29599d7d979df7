/** Where the cluster keeps its own last word on stops. */
export const STOPS_NAMESPACE = "meshroll-system";
/** People's: that it exists stops the cluster; only kubectl removes it. */
export const KUBECTL_STOP = "meshroll-stop";
/** The executor's, made once and never changed by us: which installation serves this cluster. */
export const INSTALLATION = "meshroll-installation";
/** The executor's: one entry per record id. */
export const RECORDED_STOPS = "meshroll-recorded-stops";
/** The executor's, one in each managed namespace: which of its new pods get which revision. */
export const ADMISSION = "meshroll-admission";
