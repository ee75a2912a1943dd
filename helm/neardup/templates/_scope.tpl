{{- /* What Prometheus calls the pods of this release: the job of a ServiceMonitor is the name of its service. */ -}}
{{- define "neardup.job" -}}
{{ .Values.metrics.job | default (include "neardup.fullname" .) }}
{{- end }}

{{- /* Takes (list ROOT EXPRESSION): each metric in the expression limited to this release. Nothing else in expressions of
alerts/neardup.yaml is called like one. */ -}}
{{- define "neardup.scoped" -}}
{{- $scope := printf "namespace=%q,job=%q" (index . 0).Release.Namespace (include "neardup.job" (index . 0)) -}}
{{- $metric := "\\b((?:neardup|process)_\\w+|up|ALERTS)" -}}
{{- $bare := index . 1 | replace "{job=~\".*neardup.*\"}" "" | printf "%s " -}}
{{- $matched := regexReplaceAll (print $metric "\\{") $bare (printf "${1}{%s," $scope) -}}
{{- regexReplaceAll (print $metric "([^\\w{])") $matched (printf "${1}{%s}${2}" $scope) | trim -}}
{{- end }}
