/** `1 workload`, `2 workloads`, `12,000 workloads`. */
export function printCount(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
