{{- /* Pods of a cluster that keep nothing, and the service by which Prometheus finds them. Takes the dict "root" ROOT
"component" their label "role" "values" of them, as `cluster.sketchers` "args" of the service behind its configuration "spread"
whether as `topologySpread` says. */ -}}
{{- define "neardup.stateless" -}}
{{- $own := . -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "neardup.fullname" $root) .role -}}
{{- $secretFiles := include "neardup.secretFiles" $root -}}
{{- with .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name | quote }}
  namespace: {{ $root.Release.Namespace | quote }}
  labels:
    {{- include "neardup.labels" $root | nindent 4 }}
spec:
  {{- if not (kindIs "invalid" .replicas) }}
  replicas: {{ .replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "neardup.part" (list $root $own.component) | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "neardup.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $own.component }}
      annotations:
        checksum/config: {{ include "neardup.config" $root | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "neardup.serviceAccount" $root | quote }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      # A drain takes at most drain_seconds and 6 s.
      terminationGracePeriodSeconds: {{ add $root.Values.config.shutdown.drain_seconds 15 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.priorityClassName }}
      priorityClassName: {{ . | quote }}
      {{- end }}
      {{- with .runtimeClassName }}
      runtimeClassName: {{ . | quote }}
      {{- end }}
      {{- with $root.Values.dnsConfig }}
      dnsConfig:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if $own.spread }}
      {{- include "neardup.spread" (list $root $own.component) | nindent 6 }}
      {{- end }}
      securityContext:
        {{- toYaml $root.Values.podSecurityContext | nindent 8 }}
      containers:
        - name: neardup
          image: {{ include "neardup.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args:
            - serve
            - --config=/etc/neardup/neardup.yaml
            {{- range $own.args }}
            - {{ . }}
            {{- end }}
          {{- with $root.Values.extraEnv }}
          env:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - name: http
              containerPort: {{ include "neardup.port" $root }}
          startupProbe:
            httpGet: {path: /healthz, port: http}
            {{- toYaml $root.Values.probes.startup | nindent 12 }}
          livenessProbe:
            httpGet: {path: /healthz, port: http}
            timeoutSeconds: 5
            {{- toYaml $root.Values.probes.liveness | nindent 12 }}
          readinessProbe:
            httpGet: {path: /readyz, port: http}
            timeoutSeconds: 5
            {{- toYaml $root.Values.probes.readiness | nindent 12 }}
          resources:
            {{- toYaml .resources | nindent 12 }}
          securityContext:
            {{- include "neardup.containerSecurity" $root | nindent 12 }}
          # The end of the log says why the container ended.
          terminationMessagePolicy: FallbackToLogsOnError
          volumeMounts:
            - name: config
              mountPath: /etc/neardup
              readOnly: true
            {{- if $secretFiles }}
            - name: secrets
              mountPath: {{ include "neardup.secretsPath" $root }}
              readOnly: true
            {{- end }}
      volumes:
        - name: config
          configMap:
            name: {{ include "neardup.fullname" $root | quote }}
        {{- if $secretFiles }}
        - name: secrets
          projected:
            # Readable by the group, which is fsGroup.
            defaultMode: 0440
            sources:
              {{- $secretFiles | nindent 14 }}
        {{- end }}
---
# For the ServiceMonitor of the release.
apiVersion: v1
kind: Service
metadata:
  name: {{ $name | quote }}
  namespace: {{ $root.Release.Namespace | quote }}
  labels:
    {{- include "neardup.labels" $root | nindent 4 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "neardup.part" (list $root $own.component) | nindent 4 }}
  ports:
    - name: http
      port: {{ include "neardup.port" $root }}
      targetPort: http
{{- end }}
{{- end }}
