{{- define "neardup.secretsPath" -}}
/run/secrets/neardup
{{- end }}

{{- /* Refuses keys that the chart sets, which would silently overwrite the user's value. */ -}}
{{- define "neardup.refuseOwnKeys" -}}
{{- $instead := dict
  "storage.path" "it is on the volume of `state`"
  "sketch.seed" "a config map is no secret; use `secrets.seed`"
  "sketch.seed_file" "use `secrets.seed`"
  "kafka.instance" "it is the pod's number"
  "kafka.instances" "use `instances`"
  "kafka.secrets" "use `secrets.kafka`"
  "cluster.role" "it follows from `cluster.enabled`"
  "cluster.shard" "use `cluster.shards.count`"
  "cluster.replica" "use `cluster.shards.replicas`"
  "http.listen" "use `api` for requests, `config.http.metrics_listen` for probes and metrics"
  "http.token_file" "use `secrets.token`"
  "http.read_token_file" "use `secrets.readToken`"
  "http.tls" "use `api.tls`"
  "backup.directory" "use `backup.enabled`" -}}
{{- range $key, $hint := $instead -}}
{{- $words := splitList "." $key -}}
{{- if hasKey (index $.Values.config (first $words) | default dict) (last $words) -}}
{{- fail (printf "config.%s is set by the chart: %s" $key $hint) -}}
{{- end -}}
{{- end -}}
{{- $secret := dig "kafka" "properties" "librdkafka" "x-secret-names" "" (include "neardup.settings" . | fromJson) -}}
{{- range $key, $_ := $.Values.config.kafka.librdkafka -}}
{{- if regexMatch $secret $key -}}
{{- fail (printf "config.kafka.librdkafka: a config map is no secret; use secrets.kafka for %s" $key) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* All settings of the program, from `neardup config schema`. */ -}}
{{- define "neardup.settings" -}}
{{ get (.Files.Get "config.schema.json" | fromJson) "properties" | toJson }}
{{- end }}

{{- define "neardup.refuseMissingKeys" -}}
{{- $missing := list -}}
{{- range $key := list "brokers" "topics" "group_id" "output_topic" "dead_letter_topic" -}}
{{- if not (get $.Values.config.kafka $key) -}}{{- $missing = append $missing $key -}}{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- fail (printf "missing in config.kafka, and needed by the service: %s" (join ", " $missing)) -}}
{{- end -}}
{{- end }}

{{- define "neardup.refuseHalfACluster" -}}
{{- $name := dig "cluster" "name" "" .Values.config -}}
{{- if and .Values.cluster.enabled (not $name) -}}
{{- fail "cluster.enabled needs config.cluster.name: how the names of the topics of the cluster begin" -}}
{{- end -}}
{{- if and $name (not .Values.cluster.enabled) -}}
{{- fail "config.cluster.name needs cluster.enabled: without it each pod would decide on its own" -}}
{{- end -}}
{{- if and .Values.cluster.enabled (gt (int .Values.instances) 1) -}}
{{- fail "cluster.enabled needs instances: 1; cluster.deciders and cluster.sketchers.replicas say how many pods there are" -}}
{{- end -}}
{{- include "neardup.refuseTwoWaysToDecide" .Values.cluster -}}
{{- end }}

{{- define "neardup.refuseTwoWaysToDecide" -}}
{{- if and .shards.count (not .enabled) -}}
{{- fail "cluster.shards.count needs cluster.enabled" -}}
{{- end -}}
{{- if and .enabled .shards.count .deciders -}}
{{- fail (printf "cluster.deciders is %v and cluster.shards.count %v, but either deciders decide or shards and resolvers do: set one of them to 0" .deciders .shards.count) -}}
{{- end -}}
{{- if and .enabled (not .shards.count) (not .deciders) -}}
{{- fail "cluster.deciders and cluster.shards.count are both 0, so nobody would decide: set one of them" -}}
{{- end -}}
{{- range .shards.retired -}}
{{- if ge (int .) (int $.shards.count) -}}
{{- fail (printf "cluster.shards.retired has %v, but the last of %v shards is %d" . $.shards.count (sub $.shards.count 1)) -}}
{{- end -}}
{{- end -}}
{{- if and .shards.count (eq (len (.shards.retired | default list)) (int .shards.count)) -}}
{{- fail "cluster.shards.retired has all shards, so none would answer" -}}
{{- end -}}
{{- end }}

{{- define "neardup.config" -}}
{{- include "neardup.refuseHalfACluster" . -}}
{{- include "neardup.refuseMissingKeys" . -}}
{{- include "neardup.refuseOwnKeys" . -}}
{{- $secrets := include "neardup.secretsPath" . -}}
{{- $kafka := dict "instances" .Values.instances -}}
{{- $librdkafka := dict -}}
{{- with .Values.secrets.tls -}}
{{- if .ca.name -}}{{- $_ := set $librdkafka "ssl.ca.location" (print $secrets "/tls/ca") -}}{{- end -}}
{{- if .certificate.name -}}{{- $_ := set $librdkafka "ssl.certificate.location" (print $secrets "/tls/certificate") -}}{{- end -}}
{{- if .privateKey.name -}}{{- $_ := set $librdkafka "ssl.key.location" (print $secrets "/tls/privateKey") -}}{{- end -}}
{{- end -}}
{{- if $librdkafka -}}{{- $_ := set $kafka "librdkafka" $librdkafka -}}{{- end -}}
{{- with .Values.secrets.kafka -}}
{{- $files := dict -}}
{{- range $key, $_ := . -}}{{- $_ := set $files $key (printf "%s/kafka/%s" $secrets $key) -}}{{- end -}}
{{- $_ := set $kafka "secrets" $files -}}
{{- end -}}
{{- $own := dict "kafka" $kafka "storage" (dict "path" "/var/lib/neardup/state") -}}
{{- if .Values.secrets.seed.name -}}{{- $_ := set $own "sketch" (dict "seed_file" (print $secrets "/seed")) -}}{{- end -}}
{{- $http := dict "listen" (include "neardup.apiListen" .) -}}
{{- if .Values.secrets.token.name -}}{{- $_ := set $http "token_file" (print $secrets "/token") -}}{{- end -}}
{{- if .Values.secrets.readToken.name -}}{{- $_ := set $http "read_token_file" (print $secrets "/readToken") -}}{{- end -}}
{{- $tls := dict -}}
{{- range $key, $_ := include "neardup.apiTlsFiles" . | fromJson -}}{{- $_ := set $tls $key (printf "%s/api/%s" $secrets $key) -}}{{- end -}}
{{- if $tls -}}{{- $_ := set $http "tls" $tls -}}{{- end -}}
{{- $_ := set $own "http" $http -}}
{{- if .Values.backup.enabled -}}{{- $_ := set $own "backup" (dict "directory" (include "neardup.backupPath" .)) -}}{{- end -}}
{{ toYaml (mergeOverwrite (deepCopy .Values.config) $own) }}
{{- end }}

{{- /* Sources of the volume of secrets: one file each, at the paths above. */ -}}
{{- define "neardup.secretFile" -}}
- secret:
    name: {{ .secret.name | quote }}
    items:
      - key: {{ .secret.key | quote }}
        path: {{ .path }}
{{- end }}

{{- define "neardup.secretFiles" -}}
{{- range $key, $secret := .Values.secrets.kafka }}
{{ include "neardup.secretFile" (dict "secret" $secret "path" (print "kafka/" $key)) }}
{{- end }}
{{- range $name, $secret := .Values.secrets.tls }}
{{- if $secret.name }}
{{ include "neardup.secretFile" (dict "secret" $secret "path" (print "tls/" $name)) }}
{{- end }}
{{- end }}
{{- range $key, $secret := include "neardup.apiTlsFiles" . | fromJson }}
{{ include "neardup.secretFile" (dict "secret" $secret "path" (print "api/" $key)) }}
{{- end }}
{{- range $name := list "seed" "token" "readToken" }}
{{- $secret := index $.Values.secrets $name }}
{{- if $secret.name }}
{{ include "neardup.secretFile" (dict "secret" $secret "path" $name) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* With another number, the state of each instance would hold documents of other instances' partitions. The service
refuses its state, too, but only after pods were restarted. */ -}}
{{- define "neardup.refuseOtherInstances" -}}
{{- $old := lookup "apps/v1" "StatefulSet" .Release.Namespace (include "neardup.fullname" .) -}}
{{- $before := dig "metadata" "annotations" "neardup/instances" "" ($old | default dict) -}}
{{- if and $before (ne $before (toString .Values.instances)) -}}
{{- fail (printf "this release runs with instances: %s; each has a state that holds what its own partitions brought, so %v of them need new states: docs/kubernetes.md, `Another number of instances`" $before .Values.instances) -}}
{{- end -}}
{{- end }}

{{- /* A shard holds documents, and the cluster waits for one that is named and has no pods. */ -}}
{{- define "neardup.refuseLostShards" -}}
{{- $retired := .Values.cluster.shards.retired | default list | toStrings -}}
{{- $stay := list -}}
{{- range include "neardup.sets" . | fromJsonArray -}}{{- $stay = append $stay .name -}}{{- end -}}
{{- range (lookup "apps/v1" "StatefulSet" .Release.Namespace "").items | default list -}}
{{- $labels := dig "spec" "template" "metadata" "labels" dict . -}}
{{- $shard := get $labels "neardup/shard" -}}
{{- $ours := and (eq (get $labels "app.kubernetes.io/instance") $.Release.Name) (eq (get $labels "app.kubernetes.io/name") (include "neardup.name" $)) -}}
{{- if and $shard $ours (not (has .metadata.name $stay)) (not (has $shard $retired)) -}}
{{- fail (printf "this release runs shard %s, which these values take away with its documents: keep it below cluster.shards.count, or empty it and name it in cluster.shards.retired: docs/kubernetes.md, `Retire a shard`" $shard) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* What Kubernetes does not let change in claim templates, as text. */ -}}
{{- define "neardup.volumes" -}}
state {{ .Values.state.size }} {{ .Values.state.accessMode }} {{ .Values.state.storageClass | default "default" }}
{{- if .Values.backup.enabled }}, backup {{ .Values.backup.size }} {{ .Values.backup.storageClass | default "default" }}{{ end -}}
{{- end }}

{{- /* Kubernetes refuses it, too, with words that do not say what to do. */ -}}
{{- define "neardup.refuseOtherVolumes" -}}
{{- $now := include "neardup.volumes" . -}}
{{- range $set := include "neardup.sets" . | fromJsonArray -}}
{{- $old := lookup "apps/v1" "StatefulSet" $.Release.Namespace $set.name -}}
{{- $before := dig "metadata" "annotations" "neardup/volumes" "" ($old | default dict) -}}
{{- if and $before (ne $before $now) -}}
{{- fail (printf "StatefulSet %s has volumes %q, these values want %q, and Kubernetes does not change them: change the claims, then `kubectl delete statefulset %s --cascade=orphan` and upgrade again; pods and data stay: docs/kubernetes.md, `Other volumes`" $set.name $before $now $set.name) -}}
{{- end -}}
{{- end -}}
{{- end }}
