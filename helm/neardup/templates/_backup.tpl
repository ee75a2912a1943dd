{{- define "neardup.backupPath" -}}
/var/backups/neardup
{{- end }}

{{- /* Init container: restores a backup if the volume has no state. */ -}}
{{- define "neardup.restore" -}}
{{- if not .Values.backup.enabled -}}
{{- fail "backup.restore needs backup.enabled: it takes a backup from the volume of those" -}}
{{- end -}}
- name: restore
  image: {{ include "neardup.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args:
    - restore
    - --if-missing
    - --state=/var/lib/neardup/state
    - {{ include "neardup.backupPath" . }}{{ if ne .Values.backup.restore "latest" }}/{{ .Values.backup.restore }}{{ end }}
  resources:
    {{- toYaml .Values.resources | nindent 4 }}
  securityContext:
    {{- include "neardup.containerSecurity" . | nindent 4 }}
  terminationMessagePolicy: FallbackToLogsOnError
  volumeMounts:
    - name: state
      mountPath: /var/lib/neardup
    - name: backup
      mountPath: {{ include "neardup.backupPath" . }}
      readOnly: true
{{- end }}
