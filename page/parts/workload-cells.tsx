import { keepTime } from "../live/address.ts";
import { linkNamespace, splitWorkload } from "../model/places.ts";
import { Mark } from "./mark.tsx";

/** The first two cells of a row: the workload `cluster:namespace/Kind/name`, its namespace a link, and its cluster. */
export function WorkloadCells({ workload, kind }: { readonly workload: string; readonly kind: "failed" | "skipped" }) {
  const { cluster, namespace, rest } = splitWorkload(workload);
  return (
    <>
      <th scope="row">
        <Mark kind={kind} />
        <a href={keepTime(linkNamespace(namespace))}>
          <bdi>{namespace}</bdi>
        </a>
        <span class="quiet">/{rest}</span>
      </th>
      <td>
        <bdi>{cluster}</bdi>
      </td>
    </>
  );
}
