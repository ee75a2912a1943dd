{{- /* NAMESPACE/RELEASE, for people. */ -}}
{{- define "neardup.releaseTitle" -}}
{{ .Release.Namespace }}/{{ include "neardup.fullname" . }}
{{- end }}

{{- /* Takes (list ROOT NAME). Grafana's UIDs have at most 40 characters and must be unique. */ -}}
{{- define "neardup.dashboardUid" -}}
{{- with index . 0 -}}
{{- include "neardup.fullname" . | trunc 20 | trimSuffix "-" }}-{{ include "neardup.releaseTitle" . | sha256sum | trunc 6 }}-
{{- end -}}
{{- index . 1 -}}
{{- end }}

{{- /* Takes (list ROOT NAME JSON): the dashboard for this release. It shows this release until a reader chooses another,
and links to dashboards of this release. */ -}}
{{- define "neardup.dashboard" -}}
{{- $root := index . 0 -}}
{{- $board := index . 2 | fromJson -}}
{{- $release := include "neardup.releaseTitle" $root -}}
{{- $_ := set $board "uid" (include "neardup.dashboardUid" (list $root (index . 1))) -}}
{{- $_ := set $board "title" ($board.title | replace "neardup / " (printf "neardup %s / " $release)) -}}
{{- $_ := set $board "tags" (list "neardup" $release) -}}
{{- range $board.links -}}
{{- $_ := set . "tags" (list $release) -}}
{{- end -}}
{{- $chosen := dict "namespace" $root.Release.Namespace "job" (include "neardup.job" $root) -}}
{{- range $variable := ($board.templating | default dict).list -}}
{{- with get $chosen $variable.name -}}
{{- $_ := set $variable "current" (dict "selected" true "text" (list .) "value" (list .)) -}}
{{- end -}}
{{- end -}}
{{- toPrettyJson $board -}}
{{- end }}
