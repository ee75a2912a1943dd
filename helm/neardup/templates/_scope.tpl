{{- /* The label `job` of this release's pods: with a ServiceMonitor, the name of the service. */ -}}
{{- define "neardup.job" -}}
{{ .Values.metrics.job | default (include "neardup.fullname" .) }}
{{- end }}

{{- /* Takes (list ROOT EXPRESSION): the expression with each metric limited to this release. Requires: labels and other
words of the expression do not look like a metric. */ -}}
{{- define "neardup.scoped" -}}
{{- $scope := printf "namespace=%q,job=%q" (index . 0).Release.Namespace (include "neardup.job" (index . 0)) -}}
{{- $metric := "\\b((?:neardup|process)_\\w+|up|ALERTS)" -}}
{{- $bare := index . 1 | replace "{job=~\".*neardup.*\"}" "" | printf "%s " -}}
{{- $matched := regexReplaceAll (print $metric "\\{") $bare (printf "${1}{%s," $scope) -}}
{{- regexReplaceAll (print $metric "([^\\w{])") $matched (printf "${1}{%s}${2}" $scope) | trim -}}
{{- end }}
