import { isClusterName } from "#libs/events";
import { gitVariables, requireGitLogin, requireWholeApp } from "#libs/scm";
import {
  installationVariable,
  natsTlsVariables,
  redisTlsVariables,
  healthVariables,
  urlWithLogin,
} from "#libs/runtime";
import { z } from "zod";

export interface ClusterChoice {
  readonly name: string;
  readonly context?: string;
}

/** Reads `name[=kubeconfig context],…`. A context may contain "=" or ":" (an ARN), a cluster name may not. */
function parseClusters(text: string, context: z.RefinementCtx): readonly ClusterChoice[] {
  return text.split(",").map((part) => {
    const [name = "", ...rest] = part.trim().split("=");
    if (!isClusterName(name)) context.addIssue(`${JSON.stringify(name)} is not a cluster name: use [a-z0-9-]`);
    const chosen = rest.join("=");
    return chosen === "" ? { name } : { name, context: chosen };
  });
}

/** The executor's environment. docs/reference/configuration.md has a line for each. */
export const executorConfig = z
  .object({
    ...installationVariable,
    MESHROLL_CLUSTERS: z.string("the clusters to serve: name[=context],…").transform(parseClusters),
    /** Default: $KUBECONFIG, ~/.kube/config, or the pod's own ServiceAccount. */
    MESHROLL_KUBECONFIG: z.string().optional(),
    MESHROLL_REPO_URL: z.string("the rollouts repository: a path or a URL without a password"),
    MESHROLL_BRANCH: z.string().default("main"),
    ...gitVariables,
    MESHROLL_CLONE_DIR: z.string("a folder for this process's own clone"),
    MESHROLL_NATS_URL: urlWithLogin("the bus, for example nats://127.0.0.1:4222"),
    ...natsTlsVariables,
    MESHROLL_REDIS_URL: urlWithLogin("the queue, for example redis://127.0.0.1:6379"),
    ...redisTlsVariables,
    /** Where the tags of VMs live; `off`: WorkloadGroups are left alone. */
    MESHROLL_VMS: z.enum(["self-hosted", "ec2", "off"]).default("self-hosted"),
    MESHROLL_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
    MESHROLL_SANDBOX_CLOCK: z.string().optional(),
    ...healthVariables,
  })
  .superRefine(requireWholeApp)
  .superRefine(requireGitLogin);

export type ExecutorConfig = z.infer<typeof executorConfig>;
