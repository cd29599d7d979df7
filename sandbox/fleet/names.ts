// Words that make namespaces look like those of a company. Their counts have no common divisor, so walking both lists at
// once meets every pair before it repeats one.
const teams = (
  "ads booking checkout data fraud growth guest host identity ledger listing maps media messaging notify payments photos " +
  "pricing quality reviews search tax trips trust ux"
).split(" ");
const services = (
  "api audit auth batch cache calendar cron edge events export feed gateway graph hooks index ingest jobs mail price " +
  "queue quote rank report store stream sync web"
).split(" ");

/** So many namespaces, the same in every cluster: every second one has a twin for staging, and Airbnb's pinned one is there. */
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
