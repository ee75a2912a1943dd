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

{{- /* Takes (list ROOT POD): where other pods reach the API of that one. */ -}}
{{- define "neardup.apiUrl" -}}
{{- $pod := index . 1 -}}
{{- with index . 0 -}}
http{{ if .Values.api.tls.secretName }}s{{ end }}://{{ $pod }}.{{ include "neardup.fullname" . }}.{{ .Release.Namespace }}.svc:{{ .Values.api.port }}
{{- end -}}
{{- end }}

{{- /* The files of TLS as JSON: their settings in `http.tls`, and the secret that each comes from. */ -}}
{{- define "neardup.apiTlsFiles" -}}
{{- $files := dict -}}
{{- with .Values.api.tls -}}
{{- if .secretName -}}
{{- $_ := set $files "cert_file" (dict "name" .secretName "key" "tls.crt") -}}
{{- $_ := set $files "key_file" (dict "name" .secretName "key" "tls.key") -}}
{{- end -}}
{{- if .clientCA.name -}}
{{- if not .secretName -}}{{- fail "api.tls.clientCA needs api.tls.secretName: clients show certificates in TLS only" -}}{{- end -}}
{{- $_ := set $files "client_ca_file" .clientCA -}}
{{- end -}}
{{- end -}}
{{ toJson $files }}
{{- end }}
