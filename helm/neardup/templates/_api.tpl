{{- /* Whether pods other than the instance's own may reach its API: those of users, or those of backups. */ -}}
{{- define "neardup.apiIsReached" -}}
{{ if or .Values.api.enabled .Values.backup.enabled }}yes{{ end }}
{{- end }}

{{- /* Where the API listens: at the addresses of probes and metrics, or within the pod only. */ -}}
{{- define "neardup.apiListen" -}}
{{- if eq (toString .Values.api.port) (include "neardup.port" .) -}}
{{- fail (printf "api.port is %v, and so is the port of config.http.metrics_listen: give one of them another" .Values.api.port) -}}
{{- end -}}
{{- $closed := not (include "neardup.apiIsReached" .) -}}
{{ ternary "127.0.0.1" (regexReplaceAll ":[0-9]+$" .Values.config.http.metrics_listen "") $closed }}:{{ .Values.api.port }}
{{- end }}
