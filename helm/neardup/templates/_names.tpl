{{- define "neardup.name" -}}
{{ .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /* At most 52 characters: pods and controller revisions add suffixes. */ -}}
{{- define "neardup.fullname" -}}
{{- $name := include "neardup.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{ .Values.fullnameOverride | default $full | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "neardup.release" -}}
app.kubernetes.io/name: {{ include "neardup.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- /* Takes (list ROOT COMPONENT): selects pods of one kind. */ -}}
{{- define "neardup.part" -}}
{{ include "neardup.release" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- /* Selects the pods with a state, not those of `helm test` and of backups. */ -}}
{{- define "neardup.selector" -}}
{{ include "neardup.part" (list . "serve") }}
{{- end }}

{{- define "neardup.labels" -}}
{{ include "neardup.release" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "neardup.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "neardup.serviceAccount" -}}
{{ .Values.serviceAccountName | default (include "neardup.fullname" .) }}
{{- end }}

{{- /* Of probes and metrics. */ -}}
{{- define "neardup.port" -}}
{{ splitList ":" .Values.config.http.metrics_listen | last }}
{{- end }}

{{- define "neardup.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Containers of the user, with what Pod Security `restricted` asks of each unless they say otherwise. */ -}}
{{- define "neardup.restricted" -}}
{{- $restricted := dict "allowPrivilegeEscalation" false "capabilities" (dict "drop" (list "ALL")) -}}
{{- $containers := list -}}
{{- range . -}}{{- $containers = append $containers (merge (deepCopy .) (dict "securityContext" (deepCopy $restricted))) -}}{{- end -}}
{{ toYaml $containers }}
{{- end }}
