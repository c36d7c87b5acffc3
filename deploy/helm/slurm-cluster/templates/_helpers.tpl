{{- /* SPDX-License-Identifier: Apache-2.0 */}}
{{- define "slurm-cluster.name" -}}
{{ .Values.clusterName | default .Release.Name }}
{{- end }}

{{- define "slurm-cluster.labels" -}}
app.kubernetes.io/name: slurmcluster
app.kubernetes.io/instance: {{ include "slurm-cluster.name" . }}
app.kubernetes.io/part-of: slurm-operator
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- /*
Values of soperator's chart that are no fields of the resource and have no effect here. NOTES.txt lists those that are set;
values.schema.json (tools/charts/values_schema.py) accepts the same names.
*/}}
{{- define "slurm-cluster.withoutEffect" -}}
cudaVersion nodeExporter slurmScripts
{{- end }}
{{- define "slurm-cluster.withoutEffectInComponents" -}}
docker nodeExporter rbac serviceAccount
{{- end }}

{{- /* Amounts with the names that Kubernetes uses: ephemeral-storage and nvidia.com/gpu. Changes the map. */}}
{{- define "slurm-cluster.renameAmounts" -}}
{{- $amounts := . }}
{{- range $short, $name := dict "ephemeralStorage" "ephemeral-storage" "gpu" "nvidia.com/gpu" }}
{{- if hasKey $amounts $short }}
{{- $_ := set $amounts $name (get $amounts $short) }}
{{- $_ = unset $amounts $short }}
{{- end }}
{{- end }}
{{- end }}

{{- /*
Completes a container of a component: image, pull policy and pull secrets of the chart, and the amounts of the component.
Arguments: the root, the component, the name of the container, the value of images, the amounts. Changes the component.
*/}}
{{- define "slurm-cluster.completeContainer" -}}
{{- $root := index . 0 }}
{{- $component := index . 1 }}
{{- $name := index . 2 }}
{{- $container := get $component $name | default dict }}
{{- with index . 3 }}
{{- if not $container.image }}{{ $_ := set $container "image" . }}{{ end }}
{{- end }}
{{- with $root.Values.imagePullPolicy }}
{{- if not $container.imagePullPolicy }}{{ $_ := set $container "imagePullPolicy" . }}{{ end }}
{{- end }}
{{- with $root.Values.imagePullSecrets }}
{{- if not $container.imagePullSecrets }}{{ $_ := set $container "imagePullSecrets" . }}{{ end }}
{{- end }}
{{- $amounts := get $container "resources" | default dict }}
{{- include "slurm-cluster.renameAmounts" $amounts }}
{{- with index . 4 }}
{{- include "slurm-cluster.renameAmounts" . }}
{{- $amounts = mergeOverwrite $amounts . }}
{{- end }}
{{- if $amounts }}{{ $_ := set $container "resources" $amounts }}{{ end }}
{{- if $container }}{{ $_ := set $component $name $container }}{{ end }}
{{- end }}

{{- /* One component with its main container; the munge sidecar only if it is set, because it selects munge. */}}
{{- define "slurm-cluster.completeComponent" -}}
{{- $root := index . 0 }}
{{- $component := index . 1 }}
{{- $images := $root.Values.images | default dict }}
{{- $amounts := get $component "resources" }}
{{- $_ := unset $component "resources" }}
{{- include "slurm-cluster.completeContainer" (list $root $component (index . 2) (get $images (index . 3)) $amounts) }}
{{- if hasKey $component "munge" }}
{{- $munge := get $component "munge" | default dict }}
{{- $_ = set $component "munge" $munge }}
{{- include "slurm-cluster.completeContainer" (list $root $component "munge" (get $images "munge") dict) }}
{{- end }}
{{- range splitList " " (include "slurm-cluster.withoutEffectInComponents" .) }}
{{- $_ = unset $component . }}
{{- end }}
{{- end }}

{{- /* spec of the SlurmCluster: the values, completed. */}}
{{- define "slurm-cluster.spec" -}}
{{- $spec := dict }}
{{- $chart := list "clusterName" "annotations" "global" "images" "imagePullPolicy" "imagePullSecrets" "nodesets" "slurmNodes" "volumeSources" }}
{{- $chart = concat $chart (splitList " " (include "slurm-cluster.withoutEffect" .)) }}
{{- range $name, $value := .Values }}
{{- if and (not (has $name $chart)) (not (empty $value)) }}{{ $_ := set $spec $name $value }}{{ end }}
{{- end }}
{{- /* The default claim must not stay beside a volume source of the user. */}}
{{- if (.Values.home | default dict).volumeSourceName }}
{{- $_ := set $spec "home" (omit .Values.home "volumeClaimTemplateSpec") }}
{{- end }}
{{- $sources := list }}
{{- range .Values.volumeSources }}
{{- $sources = append $sources (omit . "createPVC" "size" "storageClassName") }}
{{- end }}
{{- if $sources }}{{ $_ := set $spec "volumeSources" $sources }}{{ end }}
{{- $nodes := omit (deepCopy .Values.slurmNodes) "sssd" }}
{{- $containers := dict "controller" (list "slurmctld" "slurmctld") "worker" (list "slurmd" "slurmd") "login" (list "sshd" "sshd") }}
{{- $containers = merge $containers (dict "accounting" (list "slurmdbd" "slurmdbd") "rest" (list "rest" "slurmrestd")) }}
{{- $containers = merge $containers (dict "exporter" (list "exporterContainer" "soperatorExporter")) }}
{{- range $name, $names := $containers }}
{{- $component := get $nodes $name }}
{{- if kindIs "map" $component }}
{{- include "slurm-cluster.completeComponent" (list $ $component (index $names 0) (index $names 1)) }}
{{- else }}
{{- $_ := unset $nodes $name }}
{{- end }}
{{- end }}
{{- $accounting := get $nodes "accounting" | default dict }}
{{- if $accounting.enabled }}
{{- include "slurm-cluster.completeContainer" (list $ $accounting "mariadbOperator" (get (.Values.images | default dict) "mariaDB") dict) }}
{{- end }}
{{- $_ := set $spec "slurmNodes" $nodes }}
{{- toYaml $spec }}
{{- end }}

{{- /* spec of a NodeSet. Arguments: the root and the entry of nodesets. */}}
{{- define "slurm-cluster.nodeSetSpec" -}}
{{- $root := index . 0 }}
{{- $spec := omit (deepCopy (index . 1)) "name" "annotations" "labels" }}
{{- $_ := set $spec "clusterName" (include "slurm-cluster.name" $root) }}
{{- $images := $root.Values.images | default dict }}
{{- range $name := list "slurmd" "munge" }}
{{- if or (eq $name "slurmd") (hasKey $spec $name) }}
{{- $container := get $spec $name | default dict }}
{{- $image := get $container "image" | default dict }}
{{- with get $images $name }}
{{- if not $image.repository }}
{{- $tag := regexFind ":[^:/@]+$" . }}
{{- $_ := set $image "repository" (trimSuffix $tag .) }}
{{- if $tag }}{{ $_ := set $image "tag" (trimPrefix ":" $tag) }}{{ end }}
{{- end }}
{{- end }}
{{- with $root.Values.imagePullPolicy }}
{{- if not $image.pullPolicy }}{{ $_ := set $image "pullPolicy" . }}{{ end }}
{{- end }}
{{- if $image }}{{ $_ := set $container "image" $image }}{{ end }}
{{- with $container.resources }}{{ include "slurm-cluster.renameAmounts" . }}{{ end }}
{{- if $container }}{{ $_ := set $spec $name $container }}{{ end }}
{{- end }}
{{- end }}
{{- with $root.Values.imagePullSecrets }}
{{- if not $spec.imagePullSecrets }}{{ $_ := set $spec "imagePullSecrets" . }}{{ end }}
{{- end }}
{{- toYaml $spec }}
{{- end }}
