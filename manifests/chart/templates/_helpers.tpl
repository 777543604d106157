{{/* What names begin with: short enough for the longest that is appended. */}}
{{- define "busbar.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 30 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 30 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 30 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/name: busbar
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Whether the Deployment is there with the selector of an earlier chart, which nobody may change. */}}
{{- define "busbar.oldSelector" -}}
{{- if .Values.manager.oldSelector -}}
true
{{- else if .Values.lookup.enabled -}}
{{- $found := lookup "apps/v1" "Deployment" .Release.Namespace (printf "%s-controller-manager" (include "busbar.fullname" .)) -}}
{{- if and $found (not (hasKey $found.spec.selector.matchLabels "app.kubernetes.io/instance")) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Of the Pods, and of what is looked for by labels. */}}
{{- define "busbar.ownLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/name: busbar
control-plane: controller-manager
{{- end -}}

{{/* By which the Pods of this release are found. */}}
{{- define "busbar.selectorLabels" -}}
{{- if include "busbar.oldSelector" . -}}
app.kubernetes.io/name: busbar
control-plane: controller-manager
{{- else -}}
{{ include "busbar.ownLabels" . }}
{{- end -}}
{{- end -}}

{{/* Names of Secrets in which cert-manager keeps certificates: each release has its own. */}}
{{- define "busbar.webhookSecret" -}}
{{- $fullname := include "busbar.fullname" . -}}
{{- if eq $fullname "busbar" -}}webhook-server-cert{{- else -}}{{ $fullname }}-webhook-server-cert{{- end -}}
{{- end -}}

{{- define "busbar.metricsSecret" -}}
{{- $fullname := include "busbar.fullname" . -}}
{{- if eq $fullname "busbar" -}}metrics-server-cert{{- else -}}{{ $fullname }}-metrics-server-cert{{- end -}}
{{- end -}}

{{/* How Prometheus knows whom it asks for metrics. */}}
{{- define "busbar.metricsTls" -}}
{{- if and .Values.metrics.secure .Values.certManager.enabled -}}
ca:
  secret:
    key: ca.crt
    name: {{ include "busbar.metricsSecret" . }}
serverName: {{ include "busbar.fullname" . }}-controller-manager-metrics-service.{{ .Release.Namespace }}.svc
{{- else -}}
# The certificate is one that the operator makes for itself at its start.
insecureSkipVerify: true
{{- end -}}
{{- end -}}

{{/* Whose release an object is: empty where it is not there, is nobody's or is this one's. */}}
{{- define "busbar.otherRelease" -}}
{{- if .object -}}
{{- $annotations := .object.metadata.annotations | default dict -}}
{{- $name := get $annotations "meta.helm.sh/release-name" -}}
{{- $namespace := get $annotations "meta.helm.sh/release-namespace" -}}
{{- if and $name (or (ne $name .root.Release.Name) (ne $namespace .root.Release.Namespace)) -}}
release {{ $name }} in namespace {{ $namespace }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What cannot work beside another release is refused; templates that are rendered without a cluster know of none. */}}
{{- define "busbar.checks" -}}
{{- if .Values.lookup.enabled -}}
{{- if include "busbar.webhooks" . -}}
{{- range $kind := list "mutating" "validating" -}}
{{- $found := lookup "admissionregistration.k8s.io/v1" (printf "%sWebhookConfiguration" (title $kind)) "" (printf "busbar-%s-webhook-configuration" $kind) -}}
{{- with include "busbar.otherRelease" (dict "root" $ "object" $found) -}}
{{- fail (printf "webhook.enabled: true is not allowed: %s answers the webhooks of these kinds, and a cluster asks one for each; allowed: false" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $root := . -}}
{{- range $found := (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- $labels := $found.spec.template.metadata.labels | default dict -}}
{{- $other := include "busbar.otherRelease" (dict "root" $root "object" $found) -}}
{{- if and $other (eq (get $labels "app.kubernetes.io/name") "busbar") (eq (get $labels "control-plane") "controller-manager") -}}
{{- if not (hasKey $found.spec.selector.matchLabels "app.kubernetes.io/instance") -}}
{{- fail (printf "%s is of an earlier chart, whose Services would send requests to the Pods of this release too: first delete its Deployment %s and upgrade it" $other $found.metadata.name) -}}
{{- end -}}
{{- $theirs := include "busbar.isLimited" (index $found.spec.template.spec.containers 0).args -}}
{{- if not (and $theirs (or $root.Values.operators $root.Values.watchNamespaces)) -}}
{{- fail (printf "operators or watchNamespaces is needed in this release and in %s: both would do the same work in the same namespace" $other) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether flags leave work to others. */}}
{{- define "busbar.isLimited" -}}
{{- range . -}}
{{- if or (hasPrefix "--operators=" .) (hasPrefix "--watch-namespaces=" .) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A definition belongs to one release, whose webhook converts its objects. */}}
{{- define "busbar.checkDefinition" -}}
{{- if .root.Values.lookup.enabled -}}
{{- $found := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" .definition -}}
{{- with include "busbar.otherRelease" (dict "root" .root "object" $found) -}}
{{- fail (printf "crd.enabled: true is not allowed: %s is of %s; allowed: false" $.definition .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
