package io.busbar.sandbox.controller;

import io.busbar.sandbox.storage.GroupResource;

/**
 * A built-in kind that controllers work on, in the version that is stored.
 *
 * <p>Immutable.
 *
 * @param apiVersion as in owner references
 * @param name such as {@code Pod}
 */
public record Kind(GroupResource resource, String apiVersion, String name) {

    public static final Kind POD = core("pods", "Pod");
    public static final Kind NODE = core("nodes", "Node");
    public static final Kind SERVICE = core("services", "Service");
    public static final Kind ENDPOINTS = core("endpoints", "Endpoints");
    public static final Kind EVENT = core("events", "Event");
    public static final Kind CLAIM = core("persistentvolumeclaims", "PersistentVolumeClaim");
    public static final Kind VOLUME = core("persistentvolumes", "PersistentVolume");
    public static final Kind REPLICATION_CONTROLLER = core("replicationcontrollers", "ReplicationController");
    public static final Kind REPLICA_SET = of("apps", "replicasets", "ReplicaSet");
    public static final Kind DEPLOYMENT = of("apps", "deployments", "Deployment");
    public static final Kind STATEFUL_SET = of("apps", "statefulsets", "StatefulSet");
    public static final Kind DAEMON_SET = of("apps", "daemonsets", "DaemonSet");
    public static final Kind REVISION = of("apps", "controllerrevisions", "ControllerRevision");
    public static final Kind JOB = of("batch", "jobs", "Job");
    public static final Kind CRON_JOB = of("batch", "cronjobs", "CronJob");
    public static final Kind ENDPOINT_SLICE = of("discovery.k8s.io", "endpointslices", "EndpointSlice");
    public static final Kind STORAGE_CLASS = of("storage.k8s.io", "storageclasses", "StorageClass");
    public static final Kind VALIDATING_POLICY =
            of("admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy");
    public static final Kind DISRUPTION_BUDGET = of("policy", "poddisruptionbudgets", "PodDisruptionBudget");

    private static Kind core(String plural, String name) {
        return new Kind(GroupResource.core(plural), "v1", name);
    }

    private static Kind of(String group, String plural, String name) {
        return new Kind(new GroupResource(group, plural), group + "/v1", name);
    }
}
