import { placeSystemError } from "#libs/input";
import type { AccessReview, AccessRight, AdmissionPolicy, WriteOutcome } from "#libs/kube";

import { chooseClusters, type ClusterChoice, type DirectOptions } from "../options/cluster-choice.ts";
import type { Sentence } from "../terminal/sentence.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

/** How a right is given: by kubectl, or by a value of the chart where Helm installed it. */
interface Grant {
  readonly command: string;
  readonly value: string;
}

/** With the chart the ClusterRole of all writes, `meshroll-move`, comes with `executor.act`. */
function findGrant({ verb, namespace }: AccessRight): Grant {
  const isMove = namespace === undefined && (verb === "patch" || verb === "create");
  return {
    command: "kubectl apply -f deploy/chart/rights/rbac.yaml",
    value: isMove ? "executor.act=true" : "rights.create=true",
  };
}

const guide = "docs/how-to/run-against-your-cluster.md";

/** One line per purpose: what it is for, and what is lost without it. */
const purposes: readonly {
  readonly purpose: AccessRight["purpose"];
  readonly code: CheckResult["code"];
  readonly what: string;
}[] = [
  { purpose: "look", code: "MR9060", what: "look at workloads, pods, budgets and webhooks" },
  { purpose: "move", code: "MR9061", what: "move workloads (only with --act)" },
  { purpose: "tell", code: "MR9067", what: "write Events on workloads (only with --act)" },
  { purpose: "prove", code: "MR9065", what: "prove injection by dry runs (only with --act)" },
  { purpose: "stop", code: "MR9062", what: "read and record stops" },
  { purpose: "istiod", code: "MR9063", what: "ask istiod for its version and proxies" },
];

function nameRight({ verb, group, resource, subresource, namespace }: AccessRight): string {
  const full = `${resource}${subresource === undefined ? "" : `/${subresource}`}${group === "" ? "" : `.${group}`}`;
  return `${verb} ${full}${namespace === undefined ? "" : ` -n ${namespace}`}`;
}

/** The kubectl command with the same answer. */
function nameProof({ context, path }: ClusterChoice, right: AccessRight): string {
  const { verb, group, resource, subresource, namespace, name } = right;
  const full = `${resource}${group === "" ? "" : `.${group}`}${name === undefined ? "" : `/${name}`}`;
  const flags = `${path === undefined ? "" : ` --kubeconfig ${path}`}${context === undefined ? "" : ` --context ${context}`}`;
  const sub = subresource === undefined ? "" : ` --subresource ${subresource}`;
  return `kubectl${flags} auth can-i ${verb} ${full}${sub}${namespace === undefined ? " -A" : ` -n ${namespace}`}`;
}

/** Where Helm owns the rights, kubectl would give them to the account in the file, not to the release's. */
function describeHelm({ value }: Grant): Sentence {
  return ["installed by Helm, instead: ", { command: `helm upgrade RELEASE CHART --reuse-values --set ${value}` }];
}

/** Gives the rights, and proves one of them. */
function describeGrant(grant: Grant, choice: ClusterChoice, missing: AccessRight): readonly Sentence[] {
  const { command } = grant;
  return [[{ command }, ", then  ", { command: nameProof(choice, missing) }], describeHelm(grant)];
}

function judge(choice: ClusterChoice, reviews: readonly AccessReview[]): readonly CheckResult[] {
  return purposes.map(({ purpose, code, what }) => {
    const missing = reviews
      .filter(({ right, allowed }) => right.purpose === purpose && !allowed)
      .map(({ right }) => right);
    const [first] = missing;
    const place = { code, area: "k8s" } as const;
    if (first === undefined) return pass(place, `${choice.name}: may ${what}`);
    const more = missing.length > 1 ? `, and ${missing.length - 1} more` : "";
    const fix = describeGrant(findGrant(first), choice, first);
    return fail(place, `${choice.name}: may not ${what}: ${nameRight(first)}${more}`, ...fix);
  });
}

const admission = { code: "MR9068", area: "k8s" } as const;
const labelGrant: Grant = {
  command: "kubectl apply -f deploy/chart/rights/admission/pods.yaml",
  value: "rights.labelNewPods=true",
};

/** Rights that not every installation needs. */
interface Extra {
  readonly place: { readonly code: CheckResult["code"]; readonly area: "k8s" };
  readonly what: string;
  /** Where they are needed. */
  readonly where: string;
  /** Where it is not that of the executor's other rights. */
  readonly grant?: Grant;
}

const labelling: Extra = {
  place: admission,
  what: "write the ConfigMaps that label new pods",
  where: "needed where meshroll.yml has admission, and nowhere else",
  grant: labelGrant,
};

const argo: Extra = {
  place: { code: "MR9073", area: "k8s" },
  what: "see and move Argo Rollouts",
  where: "needed where a cluster has them, and nowhere else",
};

const vms: Extra = {
  place: { code: "MR9072", area: "k8s" },
  what: "see and move groups of VMs",
  where: "needed where VMs are moved by WorkloadGroups, and nowhere else",
};

/** None of these rights is fine, only some of them is a failure. */
function judgeExtra(
  { place, what, where, grant: own }: Extra,
  choice: ClusterChoice,
  reviews: readonly AccessReview[],
) {
  const missing = reviews.filter(({ allowed }) => !allowed).map(({ right }) => right);
  const [first] = missing;
  if (first === undefined) return pass(place, `${choice.name}: may ${what}`);
  const grant = own ?? findGrant(first);
  if (missing.length < reviews.length) {
    const more = missing.length > 1 ? `, and ${missing.length - 1} more` : "";
    const fix = describeGrant(grant, choice, first);
    return fail(place, `${choice.name}: may not ${what}: ${nameRight(first)}${more}`, ...fix);
  }
  return skip(place, `${choice.name}: may not ${what}: ${where}`, [{ command: grant.command }], describeHelm(grant));
}

const policyPlace = { code: "MR9071", area: "k8s" } as const;

/** Whether new pods are labelled is known; whether main wants that is not: what is missing is no failure. */
function judgePolicy({ name }: ClusterChoice, policy: AdmissionPolicy): CheckResult {
  const where = "needed where meshroll.yml has admission, and nowhere else";
  const fix: readonly Sentence[] = [[{ command: labelGrant.command }], describeHelm(labelGrant)];
  switch (policy.kind) {
    case "bound":
      return pass(policyPlace, `${name}: the policies that label new pods are applied`);
    case "unbound":
      return skip(policyPlace, `${name}: no policy labels new pods: ${where}`, ...fix);
    case "unserved": {
      const { version = "of an unknown version" } = policy;
      const missing = "serves no MutatingAdmissionPolicy, which Kubernetes 1.36 and newer have";
      const text = `${name}: no policy can label new pods: its API server (${version}) ${missing}`;
      return skip(policyPlace, text, "in meshroll.yml, drift: converge moves there what an owner's deploy puts back");
    }
    case "unknown":
      return skip(
        policyPlace,
        `${name}: this kubeconfig may not see whether a policy labels new pods: ${where}`,
        ...fix,
      );
  }
}

const stopPlace = { code: "MR9066", area: "k8s" } as const;
const createNamespace = "kubectl create namespace meshroll-system";

/** By a dry run of the command for emergencies. */
function judgeStop(name: string, outcome: WriteOutcome): CheckResult {
  switch (outcome.kind) {
    case "written":
    case "conflict":
      return pass(stopPlace, `${name}: a stop by kubectl can be placed (tried as a dry run)`);
    case "gone":
      return fail(stopPlace, `${name}: no stop can be placed: namespace meshroll-system does not exist`, [
        { command: createNamespace },
      ]);
    case "refused":
    case "unavailable":
      return fail(stopPlace, `${name}: a stop by kubectl cannot be placed: ${outcome.why}`);
  }
}

/** Asks each cluster's API server whether this kubeconfig's account has each right of the executor. */
export async function checkClusters(options: DirectOptions, terminal: Terminal): Promise<readonly CheckResult[]> {
  const place = { code: "MR9060", area: "k8s" } as const;
  const choices = chooseClusters(options, terminal);
  if (choices.length === 0) {
    return [skip(place, "no clusters are configured", "give --clusters NAME[=CONTEXT],… and --kubeconfig FILE")];
  }
  const { admissionRights, executorRights, proveStop, readAdmissionPolicy, reviewAccess } = await import("#libs/kube");
  const checked = choices.map(async (choice) =>
    attempt(
      place,
      async () => {
        const { path, context } = choice;
        const source = { ...(path === undefined ? {} : { path }), ...(context === undefined ? {} : { context }) };
        try {
          const reviews = await reviewAccess(source, executorRights);
          const ofPurpose = (purpose: AccessRight["purpose"]) =>
            reviews.filter(({ right }) => right.purpose === purpose);
          const labelled = judgeExtra(labelling, choice, await reviewAccess(source, admissionRights));
          const policy = judgePolicy(choice, await readAdmissionPolicy(source));
          return [
            ...judge(choice, reviews),
            judgeExtra(argo, choice, ofPurpose("argo")),
            judgeExtra(vms, choice, ofPurpose("vms")),
            labelled,
            policy,
            judgeStop(choice.name, await proveStop(source)),
          ];
        } catch (error) {
          throw new Error(`${choice.name}: ${placeSystemError(error)}`, {
            cause: error,
          });
        }
      },
      `look at it: ${guide}`,
    ),
  );
  return (await Promise.all(checked)).flat();
}
