/** What one query said at one moment. */
export type QueryAnswer =
  /** One number; never NaN and never infinite. */
  | { readonly kind: "value"; readonly value: number }
  /** No series, a number that is none (`0/0` where nothing was counted), or an answer that was made of a part of the data. */
  | { readonly kind: "noData"; readonly why: string }
  /** The query is wrong, or answers more than one number: it will not answer better later, a person must change it. */
  | { readonly kind: "refused"; readonly why: string }
  /** It does not answer now, or not what Prometheus answers: the same query may work later. */
  | { readonly kind: "unavailable"; readonly why: string };

/** Prometheus, or whatever speaks its HTTP API (Thanos, Mimir, VictoriaMetrics). */
export interface Prometheus {
  /**
   * Requests the value at one moment (epoch ms). Never throws: what goes wrong is an answer. Several series are refused
   * instead of summed, because a sum of ratios means nothing and only the query's author knows what they are.
   */
  query(promql: string, at: number): Promise<QueryAnswer>;
}
