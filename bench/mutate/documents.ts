/** A stream as a build of a whole installation prints it: of ten documents four are Deployments, and half of these have an old label. */
const kinds = [
  writeDeployment,
  writeService,
  writeConfigMap,
  writeDeployment,
  writeServiceAccount,
  writeLabelledDeployment,
  writeService,
  writeConfigMap,
  writeLabelledDeployment,
  writeAutoscaler,
] as const;

/** Such a stream; `kubectl patch` takes one patch for all, so its stream has only workloads. */
export function writeDocuments(count: number): string {
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]?.(`cart-${at}`) ?? "").join("---\n");
}

/** Deployments alone, half of them with an old label. */
export function writeDeployments(count: number): string {
  const write = (at: number) => (at % 2 === 0 ? writeDeployment : writeLabelledDeployment)(`cart-${at}`);
  return Array.from({ length: count }, (_, at) => write(at)).join("---\n");
}

function writeHead(apiVersion: string, kind: string, name: string): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name} # of the chart
  namespace: shop
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/managed-by: Helm
`;
}

function writeDeployment(name: string): string {
  return writeWorkload(name, "");
}

function writeLabelledDeployment(name: string): string {
  return writeWorkload(name, "        istio.io/rev: 1-24-5\n");
}

function writeWorkload(name: string, label: string): string {
  return `${writeHead("apps/v1", "Deployment", name)}spec:
  replicas: 3
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      annotations:
        prometheus.io/scrape: "true"
      labels:
        app: ${name}
${label}    spec:
      serviceAccountName: ${name}
      # one for each zone
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
      containers:
        - name: main
          image: "registry.example.com/shop/${name}:1.2.3"
          args: ["--port=8080", "--verbose"]
          env:
            - name: MODE
              value: 'production'
          ports:
            - containerPort: 8080
              name: http
          resources:
            limits:
              memory: 512Mi
            requests:
              cpu: 100m
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
`;
}

function writeService(name: string): string {
  return `${writeHead("v1", "Service", name)}spec:
  type: ClusterIP
  selector:
    app: ${name}
  ports:
    - name: http
      port: 80
      targetPort: http
`;
}

/** A text that looks like a manifest, and is none. */
function writeConfigMap(name: string): string {
  return `${writeHead("v1", "ConfigMap", name)}data:
  mode: production
  job.yaml: |
    apiVersion: apps/v1
    kind: Deployment
    spec:
      template:
        metadata:
          labels:
            istio.io/rev: none # of this text
  settings.ini: |
    [server]
    port = 8080
    timeout = 30s
`;
}

function writeServiceAccount(name: string): string {
  return `${writeHead("v1", "ServiceAccount", name)}automountServiceAccountToken: false
`;
}

function writeAutoscaler(name: string): string {
  return `${writeHead("autoscaling/v2", "HorizontalPodAutoscaler", name)}spec:
  minReplicas: 3
  maxReplicas: 9
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${name}}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: 70}
`;
}
