{{- /* How many shards there are; nothing where each pod has a whole index. */ -}}
{{- define "neardup.shards" -}}
{{- with .Values.cluster -}}
{{- if and .enabled .shards.count -}}{{ .shards.count }}{{- end -}}
{{- end -}}
{{- end }}

{{- /* Takes (list ROOT SHARD): the StatefulSet with the replicas of a shard. At most 52 characters: pods and controller
revisions add suffixes. */ -}}
{{- define "neardup.shardName" -}}
{{ include "neardup.fullname" (index . 0) | trunc 43 | trimSuffix "-" }}-shard-{{ index . 1 }}
{{- end }}

{{- /* Names of the pods with a state, as JSON. */ -}}
{{- define "neardup.pods" -}}
{{- $names := list -}}
{{- if include "neardup.shards" . -}}
{{- range $shard := until (include "neardup.shards" . | int) -}}
{{- range $replica := until (int $.Values.cluster.shards.replicas) -}}
{{- $names = append $names (printf "%s-%d" (include "neardup.shardName" (list $ $shard)) $replica) -}}
{{- end -}}
{{- end -}}
{{- else -}}
{{- range $i := until (ternary .Values.cluster.deciders .Values.instances .Values.cluster.enabled | int) -}}
{{- $names = append $names (printf "%s-%d" (include "neardup.fullname" $) $i) -}}
{{- end -}}
{{- end -}}
{{ toJson $names }}
{{- end }}

{{- /* Takes (list ROOT LABELS): `affinity`, and pods with the labels not on one node. */ -}}
{{- define "neardup.apart" -}}
{{- $affinity := deepCopy (index . 0).Values.affinity -}}
{{- $labels := merge (include "neardup.selector" (index . 0) | fromYaml) (index . 1) -}}
{{- $apart := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" $labels) -}}
{{- $pods := get $affinity "podAntiAffinity" | default dict -}}
{{- $rules := get $pods "requiredDuringSchedulingIgnoredDuringExecution" | default list -}}
{{- $_ := set $pods "requiredDuringSchedulingIgnoredDuringExecution" (append $rules $apart) -}}
{{ set $affinity "podAntiAffinity" $pods | toYaml }}
{{- end }}
