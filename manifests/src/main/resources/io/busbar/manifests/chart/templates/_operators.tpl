{{/* What holds in the whole cluster; with watchNamespaces, only what is in no namespace. */}}
{{- define "${name}.clusterRules" -}}
{{- $rules := include "${name}.needs.cluster" . -}}
{{- if not .Values.watchNamespaces -}}
{{- $rules = printf "%s\n%s\n%s" $rules (include "${name}.needs.events" .) (include "${name}.needs.namespaced" .) -}}
{{- end -}}
{{- with fromYamlArray $rules | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What holds in each namespace that is watched. */}}
{{- define "${name}.namespacedRules" -}}
{{- with include "${name}.needs.namespaced" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What holds in the namespace default beside that. */}}
{{- define "${name}.eventRules" -}}
{{- with include "${name}.needs.events" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What holds in the operator's own namespace. */}}
{{- define "${name}.ownRules" -}}
{{- with include "${name}.needs.own" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What an operator needs that registers its webhooks with its own CA. */}}
{{- define "${name}.certificateRules" -}}
{{- with include "${name}.needs.certificates" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What sets the conversion of definitions back needs. */}}
{{- define "${name}.conversionRules" -}}
{{- with include "${name}.needs.conversions" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* Annotations of what is there while a release is deleted; given is its place in the order. */}}
{{- define "${name}.beforeDelete" -}}
helm.sh/hook: pre-delete
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
helm.sh/hook-weight: {{ . | quote }}
{{- end -}}

{{/* Says something where webhooks are wanted and one of the chosen operators has any. */}}
{{- define "${name}.webhooks" -}}
{{- if and .Values.webhook.enabled ${anyWebhooks} -}}
true
{{- end -}}
{{- end -}}
