{{- /* Labels of each object. Takes the root and the name of a component. */ -}}
{{- define "meshroll.labels" -}}
{{ include "meshroll.selector" .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "meshroll.selector" -}}
app.kubernetes.io/name: meshroll
app.kubernetes.io/component: {{ . }}
{{- end }}

{{- define "meshroll.image" -}}
{{- $image := .Values.image }}
{{- $tag := default .Chart.AppVersion $image.tag }}
{{- if $image.digest }}
{{- if regexMatch "^sha256:0+$" $image.digest }}{{ fail "image.digest is the digest of no image" }}{{ end }}
{{- printf "%s:%s@%s" $image.repository $tag $image.digest }}
{{- else if eq $image.pullPolicy "Never" }}
{{- printf "%s:%s" $image.repository $tag }}
{{- else }}
{{- fail "image.digest is not set: a tag can be pushed again. docker buildx imagetools inspect IMAGE  shows it; for an image that is loaded onto the nodes set image.pullPolicy=Never" }}
{{- end }}
{{- end }}

{{- /* Variables by which planner, notifier and executor log in to the SCM. Takes the root and one of both Apps. */ -}}
{{- define "meshroll.scmVariables" -}}
{{- $scm := .root.Values.scm }}
{{- $found := dict "MESHROLL_SCM" $scm.kind }}
{{- with $scm.repository }}{{ $_ := set $found "MESHROLL_GITHUB_REPOSITORY" . }}{{ end }}
{{- with $scm.apiUrl }}{{ $_ := set $found "MESHROLL_GITHUB_API_URL" . }}{{ end }}
{{- with .app }}
{{- if .existingSecret }}
{{- $_ := set $found "MESHROLL_GITHUB_APP_KEY_FILE" (printf "/etc/meshroll/app/%s" .key) }}
{{- with .id }}{{ $_ := set $found "MESHROLL_GITHUB_APP_ID" . }}{{ end }}
{{- with .installationId }}{{ $_ := set $found "MESHROLL_GITHUB_APP_INSTALLATION_ID" . }}{{ end }}
{{- end }}
{{- end }}
{{- toYaml $found }}
{{- end }}

{{- /* Of planner and executor. */ -}}
{{- define "meshroll.repositoryVariables" -}}
MESHROLL_REPO_URL: {{ .Values.repository.url | quote }}
MESHROLL_BRANCH: {{ .Values.repository.branch | quote }}
MESHROLL_CLONE_DIR: /var/lib/meshroll/clone
{{- end }}

{{- define "meshroll.healthVariables" -}}
MESHROLL_HEALTH_HOST: 0.0.0.0
MESHROLL_HEALTH_PORT: "9090"
{{- end }}

{{- /*
The Deployment of a service. Takes the root, the name of the service, its arguments, its variables as YAML, its port as name and
number, whether it keeps a clone, a GitHub App or none, a Secret with a kubeconfig or none, and its ServiceAccount or none.
*/ -}}
{{- define "meshroll.deployment" -}}
{{- $values := index .root.Values .service }}
{{- $variables := dict "MESHROLL_INSTALLATION" .root.Values.installation "MESHROLL_LOG_LEVEL" .root.Values.logLevel }}
{{- $variables = mergeOverwrite $variables (fromYaml .variables) $values.env }}
{{- $app := default dict .app }}
{{- $kubeconfig := default dict .kubeconfig }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: meshroll-{{ .service }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "meshroll.labels" (dict "root" .root "component" .service) | nindent 4 }}
spec:
  replicas: {{ default 1 $values.replicas }}
  {{- if ne .service "api" }}
  # Two at once would be harmless; one at a time is easier to follow.
  strategy: { type: Recreate }
  {{- end }}
  selector:
    matchLabels:
      {{- include "meshroll.selector" .service | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "meshroll.labels" (dict "root" .root "component" .service) | nindent 8 }}
        sidecar.istio.io/inject: "false"
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- if .account }}
      serviceAccountName: {{ .account }}
      {{- end }}
      automountServiceAccountToken: {{ not (empty .account) }}
      # Kubernetes would set MESHROLL_API_PORT and others from the names of Services.
      enableServiceLinks: false
      # Longer than it takes to end in good order.
      terminationGracePeriodSeconds: 20
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      containers:
        - name: {{ .service }}
          image: {{ include "meshroll.image" .root | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args:
            {{- toYaml .args | nindent 12 }}
          envFrom:
            - secretRef: { name: {{ $values.loginSecret }} }
            {{- with $values.existingSecret }}
            - secretRef: { name: {{ . }} }
            {{- end }}
          env:
            {{- range $name, $value := $variables }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          ports:
            - { name: {{ .port.name }}, containerPort: {{ .port.number }} }
          livenessProbe:
            httpGet: { path: /healthz, port: {{ .port.name }} }
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .port.name }} }
            periodSeconds: 10
            timeoutSeconds: 5
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if .clone }}
            - { name: clone, mountPath: /var/lib/meshroll }
            {{- end }}
            {{- if $app.existingSecret }}
            - { name: app, mountPath: /etc/meshroll/app, readOnly: true }
            {{- end }}
            {{- if $kubeconfig.existingSecret }}
            - { name: kubeconfig, mountPath: /etc/meshroll/kubeconfig, readOnly: true }
            {{- end }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- if .clone }}
        {{- if $values.existingClaim }}
        - { name: clone, persistentVolumeClaim: { claimName: {{ $values.existingClaim }} } }
        {{- else }}
        # The clone may be lost at any time: it is fetched again.
        - { name: clone, emptyDir: {} }
        {{- end }}
        {{- end }}
        {{- with $app.existingSecret }}
        - { name: app, secret: { secretName: {{ . }} } }
        {{- end }}
        {{- with $kubeconfig.existingSecret }}
        - { name: kubeconfig, secret: { secretName: {{ . }} } }
        {{- end }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
