{{- /* SPDX-License-Identifier: Apache-2.0 */}}
{{- define "soperator.name" -}}
{{ .Values.fullnameOverride | default "soperator" | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- /* NetworkPolicies of clusters admit pods with the label app.kubernetes.io/name=soperator. */}}
{{- define "soperator.selector" -}}
app.kubernetes.io/name: soperator
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: manager
{{- end }}

{{- define "soperator.labels" -}}
{{ include "soperator.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "soperator.image" -}}
{{- $image := .Values.controllerManager.manager.image }}
{{- printf "%s:%s" $image.repository ($image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- /* --controllers: all, without those that are switched off. Empty if none is. */}}
{{- define "soperator.controllers" -}}
{{- $off := list }}
{{- range $name, $on := .Values.controllerManager.manager.controllersEnabled }}
{{- if not $on }}{{ $off = append $off (printf "-%s" $name) }}{{ end }}
{{- end }}
{{- if $off }}*,{{ join "," ($off | sortAlpha) }}{{ end }}
{{- end }}

{{- /* The port of an argument such as --metrics-bind-address=:8080; empty if it is absent or 0. */}}
{{- define "soperator.portOf" -}}
{{- $flag := index . 1 }}
{{- range (index . 0).Values.controllerManager.manager.args }}
{{- if hasPrefix (printf "%s=" $flag) . }}
{{- $port := regexFind "[0-9]+$" . }}
{{- if ne $port "0" }}{{ $port }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* "true" unless the webhooks are switched off. */}}
{{- define "soperator.webhooks" -}}
{{- if ne (toString .Values.controllerManager.manager.env.enableWebhooks) "false" }}true{{ end }}
{{- end }}
