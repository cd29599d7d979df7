import { describeVmFleet, type VmBench } from "#conformance/vms";
import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { nameVmKey, printVmReport } from "#libs/events";
import { openVmFleet } from "#libs/vms";
import { onTestFinished } from "vitest";

import { startEc2 } from "./index.ts";

const accessKeyId = "AKIAIOSFODNN7EXAMPLE";

async function makeBench(): Promise<VmBench> {
  const ec2 = await startEc2({ accessKeyId });
  onTestFinished(async () => ec2.close());
  const settings = {
    endpoint: ec2.url,
    region: "eu-central-1",
    credentials: { accessKeyId, secretAccessKey: "none" },
    maxAttempts: 1,
  };
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const bucket = openFakeBus(server).bucket("vms");
  let accept = (): void => undefined;
  return {
    cluster: "east",
    name: (number) => `i-0${String(number).padStart(16, "0")}`,
    open: async () =>
      openVmFleet({ kind: "ec2", bucket, cluster: "east", clock, log: { warn: () => undefined }, ec2: settings }),
    async add(vms, report) {
      for (const vm of vms) {
        const { cluster, namespace, name } = vm.group;
        ec2.run({ id: vm.name, address: report.address }, { "meshroll:group": `${cluster}/${namespace}/${name}` });
        await bucket.put(nameVmKey("reports", vm), printVmReport(report));
      }
    },
    report: async (vm, report) => void (await bucket.put(nameVmKey("reports", vm), printVmReport(report))),
    end: async ({ name }) => ec2.remove(name),
    breakOff: async () => void (accept = ec2.refuseConnections()),
    fix: async () => accept(),
    refuse: async () => ec2.fail("unauthorized", "CreateTags"),
    wipe: async () => server.wipe(),
    scribble: async (key, value) => void (await bucket.put(key, value)),
    pass: async (ms) => clock.advance(ms),
  };
}

describeVmFleet("EC2 over HTTP", makeBench);
