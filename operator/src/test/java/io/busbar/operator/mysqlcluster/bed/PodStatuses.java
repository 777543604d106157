package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** What a Node writes to the API server of its Pods. Any thread; blocks. */
record PodStatuses(KubernetesClient client) {

    /** Unless the Pod is gone, or another one by now. */
    void write(Pod pod, PodReport report) {
        boolean written = false;
        while (!written) {
            Pod current = client.resource(pod).get();
            if (current == null || !uid(current).equals(uid(pod))) {
                return;
            }
            report.into(current);
            try {
                client.resource(current).updateStatus();
                written = true;
            } catch (KubernetesClientException refused) {
                if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                    return;
                }
                if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw refused;
                }
            }
        }
    }

    /** Lets a deleted Pod go, unless it is gone. */
    void remove(Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        DeleteOptions now = new DeleteOptionsBuilder()
                .withApiVersion("v1")
                .withKind("DeleteOptions")
                .withGracePeriodSeconds(0L)
                .withNewPreconditions(null, metadata.getUid())
                .build();
        try {
            client.raw("/api/v1/namespaces/" + metadata.getNamespace() + "/pods/" + metadata.getName(), "DELETE", now);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND
                    && refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
        }
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }
}
