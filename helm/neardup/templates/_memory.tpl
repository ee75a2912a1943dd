{{- /* Bytes of a size in the configuration: 2147483648, 2GiB, 2 gb. */ -}}
{{- define "neardup.configBytes" -}}
{{- if kindIs "string" . -}}
{{- $units := dict "" 1 "b" 1 "kb" 1000 "mb" 1000000 "gb" 1000000000 "tb" 1000000000000
  "kib" 1024 "mib" 1048576 "gib" 1073741824 "tib" 1099511627776 -}}
{{- mul (regexFind "^[0-9]+" . | int64) (index $units (regexFind "[a-zA-Z]*$" . | lower)) -}}
{{- else -}}
{{- int64 . -}}
{{- end -}}
{{- end }}

{{- /* Bytes of a Kubernetes quantity: 4864Mi, 1.5G, 5e9, 2147483648. */ -}}
{{- define "neardup.quantityBytes" -}}
{{- $units := dict "" 1.0 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15
  "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 -}}
{{- if not (kindIs "string" .) -}}
{{- int64 . -}}
{{- else if regexMatch "[eE][0-9]+$" . -}}
{{- float64 . | int64 -}}
{{- else -}}
{{- mulf (regexFind "^[0-9.]+" . | float64) (index $units (regexFind "[a-zA-Z]*$" .)) | int64 -}}
{{- end -}}
{{- end }}

{{- /* Takes (dict "root" ROOT "key" KEY): bytes of a setting of the form SECTION.NAME, or of its default. */ -}}
{{- define "neardup.setting" -}}
{{- $words := splitList "." .key -}}
{{- $default := dig (first $words) "properties" (last $words) "default" "" (include "neardup.settings" .root | fromJson) -}}
{{- dig (first $words) (last $words) $default .root.Values.config | include "neardup.configBytes" -}}
{{- end }}

{{- /* With a smaller limit the kernel would kill the service in a large batch. docs/operations.md has the formula. */ -}}
{{- define "neardup.refuseTooLittleMemory" -}}
{{- with dig "limits" "memory" "" .Values.resources -}}
{{- $store := include "neardup.setting" (dict "root" $ "key" "storage.memory") | int64 -}}
{{- $batch := include "neardup.setting" (dict "root" $ "key" "batch.max_bytes") | int64 -}}
{{- $flight := include "neardup.setting" (dict "root" $ "key" "batch.in_flight") | int64 -}}
{{- $least := add $store (mul 4 $flight $batch) 268435456 -}}
{{- if lt (include "neardup.quantityBytes" . | int64) $least -}}
{{- fail (printf "resources.limits.memory is %v, but storage.memory + 4 × batch.in_flight × batch.max_bytes + 256 MiB is %dMi: raise the limit or lower one of those in `config`" . (div (add $least 1048575) 1048576)) -}}
{{- end -}}
{{- end -}}
{{- end }}
