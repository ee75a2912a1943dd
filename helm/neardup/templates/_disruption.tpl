{{- /* Takes the dict "root" ROOT "name" "component": of these pods one may be evicted at a time. */ -}}
{{- define "neardup.disruption" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name | quote }}
  namespace: {{ .root.Release.Namespace | quote }}
  labels:
    {{- include "neardup.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  # A pod that is not ready, such as one that waits for brokers, loses nothing by moving.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "neardup.part" (list .root .component) | nindent 6 }}
{{- end }}
