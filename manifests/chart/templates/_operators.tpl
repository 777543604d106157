{{/* Rules of the chosen operators: what is in no namespace. */}}
{{- define "busbar.needs.cluster" -}}
{{- if (or (not $.Values.operators) (has "sidecarset" $.Values.operators)) }}
- apiGroups:
  - ""
  resources:
  - namespaces
  verbs:
  - list
  - watch
- apiGroups:
  - apiextensions.k8s.io
  resourceNames:
  - sidecarsets.apps.kruise.io
  resources:
  - customresourcedefinitions
  verbs:
  - get
- apiGroups:
  - apiextensions.k8s.io
  resourceNames:
  - sidecarsets.apps.kruise.io
  resources:
  - customresourcedefinitions/status
  verbs:
  - patch
- apiGroups:
  - apps.kruise.io
  resources:
  - sidecarsets
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - apps.kruise.io
  resources:
  - sidecarsets/finalizers
  verbs:
  - update
- apiGroups:
  - apps.kruise.io
  resources:
  - sidecarsets/status
  verbs:
  - patch
{{- end }}
{{- end -}}

{{/* Rules of the chosen operators: Events about what is in no namespace, which stand in default. */}}
{{- define "busbar.needs.events" -}}
{{- if (or (not $.Values.operators) (has "sidecarset" $.Values.operators)) }}
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
{{- end }}
{{- end -}}

{{/* Rules of the chosen operators: what is in the namespaces that are watched. */}}
{{- define "busbar.needs.namespaced" -}}
{{- if (or (not $.Values.operators) (has "sidecarset" $.Values.operators)) }}
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - get
  - list
  - patch
  - watch
- apiGroups:
  - ""
  resources:
  - pods/status
  verbs:
  - patch
{{- end }}
{{- if (or (not $.Values.operators) (has "podset" $.Values.operators)) }}
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - create
  - delete
  - get
  - list
  - watch
- apiGroups:
  - apps.jicki.cn
  resources:
  - podsets
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - apps.jicki.cn
  resources:
  - podsets/finalizers
  verbs:
  - update
- apiGroups:
  - apps.jicki.cn
  resources:
  - podsets/status
  verbs:
  - patch
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
{{- end }}
{{- if (or (not $.Values.operators) (has "memcached" $.Values.operators)) }}
- apiGroups:
  - apps
  resources:
  - deployments
  verbs:
  - create
  - get
  - list
  - patch
  - watch
- apiGroups:
  - cache.example.com
  resources:
  - memcacheds
  verbs:
  - get
  - list
  - patch
  - watch
- apiGroups:
  - cache.example.com
  resources:
  - memcacheds/finalizers
  verbs:
  - update
- apiGroups:
  - cache.example.com
  resources:
  - memcacheds/status
  verbs:
  - patch
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
{{- end }}
{{- if (or (not $.Values.operators) (has "guestbook" $.Values.operators)) }}
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - list
  - watch
- apiGroups:
  - ""
  resources:
  - services
  verbs:
  - create
  - get
  - list
  - patch
  - watch
- apiGroups:
  - apps
  resources:
  - deployments
  verbs:
  - create
  - get
  - list
  - patch
  - watch
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
- apiGroups:
  - webapp.my.domain
  resources:
  - guestbooks
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - webapp.my.domain
  resources:
  - guestbooks/finalizers
  verbs:
  - update
- apiGroups:
  - webapp.my.domain
  resources:
  - guestbooks/status
  verbs:
  - patch
{{- end }}
{{- if (or (not $.Values.operators) (has "podbugger" $.Values.operators)) }}
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - ""
  resources:
  - pods/ephemeralcontainers
  verbs:
  - patch
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
- apiGroups:
  - ualter.com
  resources:
  - podbuggertools
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - ualter.com
  resources:
  - podbuggertools/status
  verbs:
  - patch
{{- end }}
{{- if (or (not $.Values.operators) (has "mysqlcluster" $.Values.operators)) }}
- apiGroups:
  - ""
  resources:
  - configmaps
  verbs:
  - create
  - delete
  - get
  - list
  - patch
  - watch
- apiGroups:
  - ""
  resources:
  - persistentvolumeclaims
  verbs:
  - list
  - patch
  - watch
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - delete
  - get
  - list
  - patch
  - watch
- apiGroups:
  - ""
  resources:
  - secrets
  verbs:
  - create
  - get
  - list
  - patch
  - update
  - watch
- apiGroups:
  - ""
  resources:
  - services
  verbs:
  - create
  - get
  - list
  - patch
  - watch
- apiGroups:
  - apps
  resources:
  - deployments
  verbs:
  - create
  - get
  - list
  - patch
  - watch
- apiGroups:
  - apps
  resources:
  - statefulsets
  verbs:
  - create
  - delete
  - get
  - list
  - patch
  - watch
- apiGroups:
  - batch
  resources:
  - jobs
  verbs:
  - create
  - delete
  - get
  - list
  - watch
- apiGroups:
  - cert-manager.io
  resources:
  - certificates
  verbs:
  - create
  - delete
  - get
  - patch
- apiGroups:
  - database.example.com
  resources:
  - mysqlbackups
  verbs:
  - create
  - delete
  - get
  - list
  - patch
  - watch
- apiGroups:
  - database.example.com
  resources:
  - mysqlbackups/finalizers
  - mysqlclusters/finalizers
  verbs:
  - update
- apiGroups:
  - database.example.com
  resources:
  - mysqlbackups/status
  - mysqlclusters/status
  - mysqldatabases/status
  - mysqlgrants/status
  - mysqlrestores/status
  - mysqlusers/status
  verbs:
  - patch
- apiGroups:
  - database.example.com
  resources:
  - mysqlclusters
  - mysqldatabases
  - mysqlgrants
  - mysqlusers
  verbs:
  - get
  - list
  - patch
  - watch
- apiGroups:
  - database.example.com
  resources:
  - mysqlrestores
  verbs:
  - get
  - list
  - watch
- apiGroups:
  - events.k8s.io
  resources:
  - events
  verbs:
  - create
  - patch
- apiGroups:
  - policy
  resources:
  - poddisruptionbudgets
  verbs:
  - create
  - get
  - patch
{{- end }}
{{- end -}}

{{/* Rules of the chosen operators: what is in the operator's own namespace. */}}
{{- define "busbar.needs.own" -}}
{{- if (or (not $.Values.operators) (has "sidecarset" $.Values.operators)) }}
- apiGroups:
  - ""
  resourceNames:
  - kruise-configuration
  resources:
  - configmaps
  verbs:
  - list
  - watch
- apiGroups:
  - apps
  resources:
  - controllerrevisions
  verbs:
  - create
  - delete
  - get
  - list
  - patch
  - watch
{{- end }}
{{- end -}}

{{/* Rules of the chosen operators: webhooks to be registered with the operator's own CA. */}}
{{- define "busbar.needs.certificates" -}}
{{- if (or (not $.Values.operators) (has "sidecarset" $.Values.operators)) }}
- apiGroups:
  - admissionregistration.k8s.io
  resources:
  - mutatingwebhookconfigurations
  - validatingwebhookconfigurations
  verbs:
  - create
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - busbar-mutating-webhook-configuration
  resources:
  - mutatingwebhookconfigurations
  verbs:
  - get
  - update
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - busbar-validating-webhook-configuration
  resources:
  - validatingwebhookconfigurations
  verbs:
  - get
  - update
- apiGroups:
  - apiextensions.k8s.io
  resourceNames:
  - sidecarsets.apps.kruise.io
  resources:
  - customresourcedefinitions
  verbs:
  - get
  - patch
{{- end }}
{{- if (or (not $.Values.operators) (has "memcached" $.Values.operators)) }}
- apiGroups:
  - admissionregistration.k8s.io
  resources:
  - mutatingwebhookconfigurations
  verbs:
  - create
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - busbar-mutating-webhook-configuration
  resources:
  - mutatingwebhookconfigurations
  verbs:
  - get
  - update
{{- end }}
{{- if (or (not $.Values.operators) (has "podbugger" $.Values.operators)) }}
- apiGroups:
  - admissionregistration.k8s.io
  resources:
  - validatingwebhookconfigurations
  verbs:
  - create
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - busbar-validating-webhook-configuration
  resources:
  - validatingwebhookconfigurations
  verbs:
  - get
  - update
{{- end }}
{{- if (or (not $.Values.operators) (has "mysqlcluster" $.Values.operators)) }}
- apiGroups:
  - admissionregistration.k8s.io
  resources:
  - mutatingwebhookconfigurations
  - validatingwebhookconfigurations
  verbs:
  - create
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - busbar-mutating-webhook-configuration
  resources:
  - mutatingwebhookconfigurations
  verbs:
  - get
  - update
- apiGroups:
  - admissionregistration.k8s.io
  resourceNames:
  - busbar-validating-webhook-configuration
  resources:
  - validatingwebhookconfigurations
  verbs:
  - get
  - update
{{- end }}
{{- end -}}

{{/* Rules of the chosen operators: conversions to be set back. */}}
{{- define "busbar.needs.conversions" -}}
{{- if (or (not $.Values.operators) (has "sidecarset" $.Values.operators)) }}
- apiGroups:
  - apiextensions.k8s.io
  resourceNames:
  - sidecarsets.apps.kruise.io
  resources:
  - customresourcedefinitions
  verbs:
  - get
  - patch
{{- end }}
{{- end -}}

{{/* What holds in the whole cluster; with watchNamespaces, only what is in no namespace. */}}
{{- define "busbar.clusterRules" -}}
{{- $rules := include "busbar.needs.cluster" . -}}
{{- if not .Values.watchNamespaces -}}
{{- $rules = printf "%s\n%s\n%s" $rules (include "busbar.needs.events" .) (include "busbar.needs.namespaced" .) -}}
{{- end -}}
{{- with fromYamlArray $rules | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What holds in each namespace that is watched. */}}
{{- define "busbar.namespacedRules" -}}
{{- with include "busbar.needs.namespaced" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What holds in the namespace default beside that. */}}
{{- define "busbar.eventRules" -}}
{{- with include "busbar.needs.events" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What holds in the operator's own namespace. */}}
{{- define "busbar.ownRules" -}}
{{- with include "busbar.needs.own" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What an operator needs that registers its webhooks with its own CA. */}}
{{- define "busbar.certificateRules" -}}
{{- with include "busbar.needs.certificates" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* What sets the conversion of definitions back needs. */}}
{{- define "busbar.conversionRules" -}}
{{- with include "busbar.needs.conversions" . | fromYamlArray | uniq -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* Annotations of what is there while a release is deleted; given is its place in the order. */}}
{{- define "busbar.beforeDelete" -}}
helm.sh/hook: pre-delete
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
helm.sh/hook-weight: {{ . | quote }}
{{- end -}}

{{/* Says something where webhooks are wanted and one of the chosen operators has any. */}}
{{- define "busbar.webhooks" -}}
{{- if and .Values.webhook.enabled (or (not $.Values.operators) (has "sidecarset" $.Values.operators) (has "memcached" $.Values.operators) (has "podbugger" $.Values.operators) (has "mysqlcluster" $.Values.operators)) -}}
true
{{- end -}}
{{- end -}}
