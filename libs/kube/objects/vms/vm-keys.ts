/** Of a pod template; a change of a WorkloadGroup names its revision by it too. */
export const revisionLabel = "istio.io/rev";
/** What that label is to a WorkloadGroup: its own label `istio.io/rev` would hide it from the other istiods. */
export const vmRevisionKey = "meshroll.dev/revision";
export const restartedForKey = "meshroll.dev/restarted-for";
