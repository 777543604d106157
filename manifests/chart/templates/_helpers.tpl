{{/* What names begin with: short enough for the longest that is appended. */}}
{{- define "busbar.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 28 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 28 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Of all objects. */}}
{{- define "busbar.labels" -}}
app.kubernetes.io/component: operator
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/name: busbar
app.kubernetes.io/part-of: busbar
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Of the Pods. */}}
{{- define "busbar.podLabels" -}}
{{ include "busbar.ownLabels" . }}
app.kubernetes.io/component: operator
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: busbar
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- with mergeOverwrite (deepCopy .Values.commonLabels) .Values.manager.podLabels }}
{{ toYaml . }}
{{- end }}
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

{{/* Of the Pods and of Services, and by which both are found. */}}
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

{{- define "busbar.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (printf "%s-controller-manager" (include "busbar.fullname" .)) -}}
{{- end -}}

{{- define "busbar.image" -}}
{{- $image := .Values.manager.image -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- with $image.digest -}}@{{ . }}{{- end -}}
{{- end -}}

{{/* Pods in the node's network see the names of the cluster with this policy only. */}}
{{- define "busbar.dnsPolicy" -}}
{{- .Values.manager.dnsPolicy | default (ternary "ClusterFirstWithHostNet" "" .Values.manager.hostNetwork) -}}
{{- end -}}

{{/* How many Pods may be missing. */}}
{{- define "busbar.disruptions" -}}
{{- $budget := .Values.manager.podDisruptionBudget -}}
{{- if ne (toString $budget.minAvailable) "" -}}
minAvailable: {{ $budget.minAvailable }}
{{- else -}}
maxUnavailable: {{ $budget.maxUnavailable }}
{{- end -}}
{{- with $budget.unhealthyPodEvictionPolicy }}
unhealthyPodEvictionPolicy: {{ . }}
{{- end -}}
{{- end -}}

{{/* Who signs certificates for cert-manager. */}}
{{- define "busbar.issuerRef" -}}
{{- if .Values.certManager.issuerRef -}}
{{- toYaml .Values.certManager.issuerRef -}}
{{- else -}}
kind: Issuer
name: {{ include "busbar.fullname" . }}-selfsigned-issuer
{{- end -}}
{{- end -}}

{{/* Names of Secrets with certificates, which cert-manager keeps or the user: each release has its own. */}}
{{- define "busbar.webhookSecret" -}}
{{- $fullname := include "busbar.fullname" . -}}
{{- if .Values.webhook.certificate.secretName -}}{{ .Values.webhook.certificate.secretName }}
{{- else if eq $fullname "busbar" -}}webhook-server-cert{{- else -}}{{ $fullname }}-webhook-server-cert{{- end -}}
{{- end -}}

{{- define "busbar.metricsSecret" -}}
{{- $fullname := include "busbar.fullname" . -}}
{{- if .Values.metrics.certificate.secretName -}}{{ .Values.metrics.certificate.secretName }}
{{- else if eq $fullname "busbar" -}}metrics-server-cert{{- else -}}{{ $fullname }}-metrics-server-cert{{- end -}}
{{- end -}}

{{/* How Prometheus knows whom it asks for metrics. */}}
{{- define "busbar.metricsTls" -}}
{{- if and .Values.metrics.secure (or .Values.certManager.enabled .Values.metrics.certificate.secretName) -}}
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

{{/* Values that cannot work with each other are refused. */}}
{{- define "busbar.checks" -}}
{{- if and (gt (int .Values.manager.replicas) 1) (not (or .Values.manager.leaderElection.enabled .Values.manager.shard.enabled)) -}}
{{- fail (printf "manager.leaderElection.enabled: false is not allowed with manager.replicas: %v; allowed: true, or one replica" .Values.manager.replicas) -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- fail "serviceAccount.name: \"\" is not allowed with serviceAccount.create: false; allowed: the name of an account that is there" -}}
{{- end -}}
{{- with .Values.webhook -}}
{{- if and .clientCA.secretName .clientCA.configMapName -}}
{{- fail (printf "webhook.clientCA.configMapName: %s is not allowed with webhook.clientCA.secretName: %s; allowed: one of them" .clientCA.configMapName .clientCA.secretName) -}}
{{- end -}}
{{- if and .certificate.caBundle (not .certificate.secretName) -}}
{{- fail "webhook.certificate.caBundle is not allowed without webhook.certificate.secretName; allowed: both" -}}
{{- end -}}
{{- end -}}
{{- include "busbar.releaseChecks" . -}}
{{- end -}}

{{/* What cannot work beside another release is refused; templates that are rendered without a cluster know of none. */}}
{{- define "busbar.releaseChecks" -}}
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

{{/* Whether a definition that outlives its operator is there already, and of this release. */}}
{{- define "busbar.keepsDefinition" -}}
{{- if and .root.Values.lookup.enabled .root.Values.crd.keep -}}
{{- $found := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" .definition -}}
{{- if $found -}}
{{- $annotations := $found.metadata.annotations | default dict -}}
{{- if and (eq .root.Release.Name (get $annotations "meta.helm.sh/release-name")) (eq .root.Release.Namespace (get $annotations "meta.helm.sh/release-namespace")) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
