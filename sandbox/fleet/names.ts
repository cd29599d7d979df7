// Words for names of namespaces. The lengths of the lists are coprime, so walking both at once gives every pair before it
// repeats one.
const teams = (
  "ads booking checkout data fraud growth guest host identity ledger listing maps media messaging notify payments photos " +
  "pricing quality reviews search tax trips trust ux"
).split(" ");
const services = (
  "api audit auth batch cache calendar cron edge events export feed gateway graph hooks index ingest jobs mail price " +
  "queue quote rank report store stream sync web"
).split(" ");

/**
 * So many names of namespaces, always the same: every second one has a `-staging` variant, and istio-e2e, which Airbnb's file
 * pins, is the first.
 */
export function nameNamespaces(count: number): readonly string[] {
  const names = ["istio-e2e"];
  for (let i = 0; names.length < count; i += 1) {
    const round = Math.floor(i / (teams.length * services.length));
    const base = `${teams[i % teams.length] ?? ""}-${services[i % services.length] ?? ""}`;
    const name = round === 0 ? base : `${base}-${round + 1}`;
    names.push(name);
    if (i % 2 === 0 && names.length < count) names.push(`${name}-staging`);
  }
  return names;
}
