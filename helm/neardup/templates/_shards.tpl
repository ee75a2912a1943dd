{{- /* Whether shards decide, and not pods with a whole index each. */ -}}
{{- define "neardup.isSharded" -}}
{{ with .Values.cluster }}{{ if and .enabled .shards.count }}yes{{ end }}{{ end }}
{{- end }}

{{- /* The StatefulSets as JSON: their names, how many pods each has, and whose shard it is. Names have at most 52 characters: pods
and controller revisions add suffixes. */ -}}
{{- define "neardup.sets" -}}
{{- $name := include "neardup.fullname" . -}}
{{- $sets := list -}}
{{- with .Values.cluster -}}
{{- if include "neardup.isSharded" $ -}}
{{- $retired := .shards.retired | default list | toStrings -}}
{{- range $shard := until (int .shards.count) -}}
{{- if not (has (toString $shard) $retired) -}}
{{- $set := printf "%s-shard-%d" ($name | trunc 43 | trimSuffix "-") $shard -}}
{{- $sets = append $sets (dict "name" $set "pods" $.Values.cluster.shards.replicas "shard" (toString $shard)) -}}
{{- end -}}
{{- end -}}
{{- else -}}
{{- $sets = list (dict "name" $name "pods" (ternary .deciders $.Values.instances .enabled)) -}}
{{- end -}}
{{- end -}}
{{ toJson $sets }}
{{- end }}

{{- /* Names of the pods with a state, as JSON. */ -}}
{{- define "neardup.pods" -}}
{{- $names := list -}}
{{- range $set := include "neardup.sets" . | fromJsonArray -}}
{{- range $i := until (int .pods) -}}
{{- $names = append $names (printf "%s-%d" $set.name $i) -}}
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
