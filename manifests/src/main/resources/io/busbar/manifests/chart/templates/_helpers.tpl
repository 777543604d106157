{{/* What names begin with: short enough for the longest that is appended. */}}
{{- define "${name}.fullname" -}}
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

{{- define "${name}.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/name: ${name}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Whether the Deployment is there with the selector of an earlier chart, which nobody may change. */}}
{{- define "${name}.oldSelector" -}}
{{- if .Values.manager.oldSelector -}}
true
{{- else if .Values.lookup.enabled -}}
{{- $found := lookup "apps/v1" "Deployment" .Release.Namespace (printf "%s-controller-manager" (include "${name}.fullname" .)) -}}
{{- if and $found (not (hasKey $found.spec.selector.matchLabels "app.kubernetes.io/instance")) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Of the Pods, and of what is looked for by labels. */}}
{{- define "${name}.ownLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/name: ${name}
control-plane: controller-manager
{{- end -}}

{{/* By which the Pods of this release are found. */}}
{{- define "${name}.selectorLabels" -}}
{{- if include "${name}.oldSelector" . -}}
app.kubernetes.io/name: ${name}
control-plane: controller-manager
{{- else -}}
{{ include "${name}.ownLabels" . }}
{{- end -}}
{{- end -}}

{{/* Names of Secrets in which cert-manager keeps certificates: each release has its own. */}}
{{- define "${name}.webhookSecret" -}}
{{- $fullname := include "${name}.fullname" . -}}
{{- if eq $fullname "${name}" -}}webhook-server-cert{{- else -}}{{ $fullname }}-webhook-server-cert{{- end -}}
{{- end -}}

{{- define "${name}.metricsSecret" -}}
{{- $fullname := include "${name}.fullname" . -}}
{{- if eq $fullname "${name}" -}}metrics-server-cert{{- else -}}{{ $fullname }}-metrics-server-cert{{- end -}}
{{- end -}}

{{/* How Prometheus knows whom it asks for metrics. */}}
{{- define "${name}.metricsTls" -}}
{{- if and .Values.metrics.secure .Values.certManager.enabled -}}
ca:
  secret:
    key: ca.crt
    name: {{ include "${name}.metricsSecret" . }}
serverName: {{ include "${name}.fullname" . }}-controller-manager-metrics-service.{{ .Release.Namespace }}.svc
{{- else -}}
# The certificate is one that the operator makes for itself at its start.
insecureSkipVerify: true
{{- end -}}
{{- end -}}

{{/* Whose release an object is: empty where it is not there, is nobody's or is this one's. */}}
{{- define "${name}.otherRelease" -}}
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
{{- define "${name}.checks" -}}
{{- if .Values.lookup.enabled -}}
{{- if include "${name}.webhooks" . -}}
{{- range $kind := list "mutating" "validating" -}}
{{- $found := lookup "admissionregistration.k8s.io/v1" (printf "%sWebhookConfiguration" (title $kind)) "" (printf "${name}-%s-webhook-configuration" $kind) -}}
{{- with include "${name}.otherRelease" (dict "root" $ "object" $found) -}}
{{- fail (printf "webhook.enabled: true is not allowed: %s answers the webhooks of these kinds, and a cluster asks one for each; allowed: false" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $root := . -}}
{{- range $found := (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- $labels := $found.spec.template.metadata.labels | default dict -}}
{{- $other := include "${name}.otherRelease" (dict "root" $root "object" $found) -}}
{{- if and $other (eq (get $labels "app.kubernetes.io/name") "${name}") (eq (get $labels "control-plane") "controller-manager") -}}
{{- if not (hasKey $found.spec.selector.matchLabels "app.kubernetes.io/instance") -}}
{{- fail (printf "%s is of an earlier chart, whose Services would send requests to the Pods of this release too: first delete its Deployment %s and upgrade it" $other $found.metadata.name) -}}
{{- end -}}
{{- $theirs := include "${name}.isLimited" (index $found.spec.template.spec.containers 0).args -}}
{{- if not (and $theirs (or $root.Values.operators $root.Values.watchNamespaces)) -}}
{{- fail (printf "operators or watchNamespaces is needed in this release and in %s: both would do the same work in the same namespace" $other) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether flags leave work to others. */}}
{{- define "${name}.isLimited" -}}
{{- range . -}}
{{- if or (hasPrefix "--operators=" .) (hasPrefix "--watch-namespaces=" .) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A definition belongs to one release, whose webhook converts its objects. */}}
{{- define "${name}.checkDefinition" -}}
{{- if .root.Values.lookup.enabled -}}
{{- $found := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" .definition -}}
{{- with include "${name}.otherRelease" (dict "root" .root "object" $found) -}}
{{- fail (printf "crd.enabled: true is not allowed: %s is of %s; allowed: false" $.definition .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
