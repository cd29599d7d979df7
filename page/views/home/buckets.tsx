import type { FleetStatus } from "#libs/plan";

import { ShareBar } from "../../parts/share-bar.tsx";
import { Section } from "../../parts/section.tsx";

/** The file's buckets: what it requests and what runs, always together. */
export function Buckets({ status: { where } }: { readonly status: FleetStatus }) {
  return (
    <Section id="buckets" title="Buckets" note="namespaces by revision">
      <div class="scroll" role="region" tabIndex={0} aria-label="Buckets">
        <table>
          <thead>
            <tr>
              <th scope="col">bucket</th>
              <th scope="col">revision</th>
              <th scope="col" class="number">
                requested
              </th>
              <th scope="col" class="number">
                actual
              </th>
              <th scope="col" class="number">
                namespaces
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {where.flatMap(({ bucket, shares, namespaces, mixed }) =>
              shares.map((share, at) => (
                <tr key={`${bucket} ${share.revision}`}>
                  {at > 0 ? null : (
                    <th scope="rowgroup" rowSpan={shares.length}>
                      <code>
                        <bdi>{bucket}</bdi>
                      </code>
                      {mixed === 0 ? null : <span class="quiet"> {mixed} in transition</span>}
                    </th>
                  )}
                  <td>
                    <code>{share.revision}</code>
                  </td>
                  <td class="number">{share.requested} %</td>
                  <td class="number">{share.actual} %</td>
                  <td class="number">
                    {share.namespaces} of {namespaces}
                  </td>
                  <td>
                    <ShareBar actual={share.actual} requested={share.requested} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
