{{- /* Pods with a state. Takes the dict "root" ROOT "name" of the StatefulSet "replicas" "args" of the service behind its
configuration "env" "affinity" "labels" of these pods only. */ -}}
{{- define "neardup.stateful" -}}
{{- $own := . -}}
{{- $root := .root -}}
{{- $secretFiles := include "neardup.secretFiles" $root -}}
{{- with $root -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $own.name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  labels:
    {{- include "neardup.labels" . | nindent 4 }}
  annotations:
    neardup/instances: {{ .Values.instances | quote }}
    neardup/volumes: {{ include "neardup.volumes" . | quote }}
spec:
  replicas: {{ $own.replicas }}
  serviceName: {{ include "neardup.fullname" . | quote }}
  # Pods are independent of each other; a decider that finds another one follows it.
  podManagementPolicy: Parallel
  updateStrategy:
    {{- toYaml .Values.updateStrategy | nindent 4 }}
  selector:
    matchLabels:
      {{- include "neardup.selector" . | nindent 6 }}
      {{- with $own.labels }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
  persistentVolumeClaimRetentionPolicy:
    whenDeleted: {{ .Values.state.whenDeleted }}
    whenScaled: Retain
  volumeClaimTemplates:
    {{- $volumes := dict "state" .Values.state }}
    {{- if .Values.backup.enabled }}{{ $_ := set $volumes "backup" .Values.backup }}{{ end }}
    {{- range $name := list "state" "backup" }}
    {{- with get $volumes $name }}
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: {{ $name }}
        labels:
          {{- include "neardup.selector" $root | nindent 10 }}
      spec:
        accessModes: [{{ $root.Values.state.accessMode }}]
        {{- with .storageClass }}
        storageClassName: {{ . | quote }}
        {{- end }}
        resources:
          requests:
            storage: {{ .size }}
    {{- end }}
    {{- end }}
  template:
    metadata:
      labels:
        {{- include "neardup.labels" . | nindent 8 }}
        app.kubernetes.io/component: serve
        {{- with $own.labels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ include "neardup.config" . | sha256sum }}
        {{- with .Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "neardup.serviceAccount" . | quote }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      # A drain takes at most drain_seconds and 6 s.
      terminationGracePeriodSeconds: {{ add .Values.config.shutdown.drain_seconds 15 }}
      {{- with .Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.priorityClassName }}
      priorityClassName: {{ . | quote }}
      {{- end }}
      {{- with .Values.runtimeClassName }}
      runtimeClassName: {{ . | quote }}
      {{- end }}
      {{- with .Values.dnsConfig }}
      dnsConfig:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "neardup.spread" (list $root "serve") | nindent 6 }}
      securityContext:
        {{- toYaml .Values.podSecurityContext | nindent 8 }}
      {{- if or .Values.initContainers .Values.backup.restore }}
      initContainers:
        {{- with .Values.initContainers }}
        {{- include "neardup.restricted" . | nindent 8 }}
        {{- end }}
        {{- if .Values.backup.restore }}
        {{- include "neardup.restore" . | nindent 8 }}
        {{- end }}
      {{- end }}
      containers:
        - name: neardup
          image: {{ include "neardup.image" . | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          args:
            - serve
            - --config=/etc/neardup/neardup.yaml
            {{- range $own.args }}
            - {{ . }}
            {{- end }}
          {{- with $own.env }}
          env:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - name: http
              containerPort: {{ include "neardup.port" . }}
            {{- if include "neardup.apiIsReached" . }}
            - name: api
              containerPort: {{ .Values.api.port }}
            {{- end }}
          startupProbe:
            httpGet: {path: /healthz, port: http}
            {{- toYaml .Values.probes.startup | nindent 12 }}
          livenessProbe:
            httpGet: {path: /healthz, port: http}
            timeoutSeconds: 5
            {{- toYaml .Values.probes.liveness | nindent 12 }}
          readinessProbe:
            httpGet: {path: /readyz, port: http}
            timeoutSeconds: 5
            {{- toYaml .Values.probes.readiness | nindent 12 }}
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
          securityContext:
            {{- include "neardup.containerSecurity" . | nindent 12 }}
          # The end of the log says why the container ended.
          terminationMessagePolicy: FallbackToLogsOnError
          volumeMounts:
            - name: state
              mountPath: /var/lib/neardup
            {{- if .Values.backup.enabled }}
            - name: backup
              mountPath: {{ include "neardup.backupPath" . }}
            {{- end }}
            - name: config
              mountPath: /etc/neardup
              readOnly: true
            {{- if $secretFiles }}
            - name: secrets
              mountPath: {{ include "neardup.secretsPath" . }}
              readOnly: true
            {{- end }}
            {{- with .Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with .Values.extraContainers }}
        {{- include "neardup.restricted" . | nindent 8 }}
        {{- end }}
      volumes:
        - name: config
          configMap:
            name: {{ include "neardup.fullname" . | quote }}
        {{- if $secretFiles }}
        - name: secrets
          projected:
            # Readable by the group, which is fsGroup.
            defaultMode: 0440
            sources:
              {{- $secretFiles | nindent 14 }}
        {{- end }}
        {{- with .Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
{{- end }}

{{- /* The number of a pod in its StatefulSet, as a variable with the name that is given. */ -}}
{{- define "neardup.podIndex" -}}
name: {{ . }}
valueFrom:
  fieldRef:
    fieldPath: metadata.labels['apps.kubernetes.io/pod-index']
{{- end }}

{{- /* Takes (list ROOT COMPONENT). */ -}}
{{- define "neardup.spread" -}}
{{- $selector := include "neardup.part" . -}}
{{- with (index . 0).Values.topologySpread -}}
topologySpreadConstraints:
  {{- range . }}
  - {{ toYaml . | indent 4 | trim }}
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}
