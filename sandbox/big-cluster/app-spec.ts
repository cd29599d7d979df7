/** A container as a typical service's chart writes it. */
export function describeApp(name: string, namespace: string, image: string): object {
  return {
    name,
    image,
    imagePullPolicy: "IfNotPresent",
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    env: describeEnvironment(name, namespace),
    resources: { requests: { cpu: "250m", memory: "512Mi" }, limits: { memory: "1Gi" } },
    readinessProbe: { httpGet: { path: "/ready", port: "http", scheme: "HTTP" }, periodSeconds: 5, timeoutSeconds: 2 },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    volumeMounts: [{ name: "config", mountPath: "/etc/service", readOnly: true }],
  };
}

/** The rest of a pod's spec, including defaults that the API server fills in. */
export function describePodSpec(name: string): object {
  return {
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: { fsGroup: 65_532, runAsNonRoot: true },
    serviceAccount: name,
    serviceAccountName: name,
    terminationGracePeriodSeconds: 45,
    volumes: [{ name: "config", configMap: { name: `${name}-config`, defaultMode: 420 } }],
  };
}

function describeEnvironment(name: string, namespace: string): object[] {
  return [
    { name: "SERVICE_NAME", value: name },
    { name: "LOG_LEVEL", value: "info" },
    { name: "DATABASE_HOST", value: `${name}-primary.${namespace}.db.internal.example` },
    { name: "DATABASE_PASSWORD", valueFrom: { secretKeyRef: { name: `${name}-db`, key: "password" } } },
  ];
}
