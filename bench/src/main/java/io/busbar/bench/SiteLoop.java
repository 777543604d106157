package io.busbar.bench;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The requests that {@link Sites} need, as the operator sends them: for each what it says of its five objects, these, and
 * its status; on so many connections, and with nothing else. It reads nothing, survives nothing and mends nothing.
 */
final class SiteLoop {

    /** As long as that of an instance. */
    private static final String SET = "applyset-" + "x".repeat(43) + "-v1";

    private SiteLoop() {}

    /**
     * Serves those that are there, and stays until it is ended.
     *
     * @param arguments how many connections
     */
    public static void main(String[] arguments) throws Exception {
        List<GenericKubernetesResource> sites;
        try (ApiConnection api = new ApiConnection()) {
            sites = api.client()
                    .getKubernetesSerialization()
                    .unmarshal(api.get(Sites.SITES), GenericKubernetesResourceList.class)
                    .getItems();
        }
        run(sites, Integer.parseInt(arguments[0]));
        new CountDownLatch(1).await();
    }

    static void run(List<GenericKubernetesResource> sites, int workers) throws Exception {
        Queue<GenericKubernetesResource> left = new ConcurrentLinkedQueue<>(sites);
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                tasks.add(() -> {
                    serve(left);
                    return null;
                });
            }
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void serve(Queue<GenericKubernetesResource> left) throws Exception {
        try (ApiConnection api = new ApiConnection()) {
            for (GenericKubernetesResource site = left.poll(); site != null; site = left.poll()) {
                serve(api, site);
            }
        }
    }

    private static void serve(ApiConnection api, GenericKubernetesResource site) throws Exception {
        String name = site.getMetadata().getName();
        String uid = site.getMetadata().getUid();
        String said = api.merge(Sites.path(name) + "?fieldManager=bare", """
                {"metadata":{"labels":{"applyset.kubernetes.io/id":"%s"},"annotations":{"applyset.kubernetes.io/tooling":
                 "bare/1","applyset.kubernetes.io/contains-group-kinds":
                 "ConfigMap,Deployment.apps,Secret,Service,ServiceAccount"}}}""".formatted(SET));
        String version = api.client()
                .getKubernetesSerialization()
                .unmarshal(said, GenericKubernetesResource.class)
                .getMetadata()
                .getResourceVersion();
        List<String> bodies = bodies(site.get("spec", "text"), name);
        for (int i = 0; i < bodies.size(); i++) {
            api.post(
                    Sites.MADE.get(i) + "?fieldValidation=Strict&fieldManager=bare",
                    bodies.get(i).formatted(metadata(name, uid)));
        }
        api.merge(Sites.statusPath(name) + "?fieldManager=bare", """
                {"metadata":{"resourceVersion":"%1$s"},"status":{"address":"%2$s.%3$s:80","observedGeneration":1,
                 "conditions":[{"type":"Ready","status":"True","reason":"Ready","message":"all resources are ready",
                 "lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":1}]}}""".formatted(version, name, Cluster.NAMESPACE));
    }

    private static String metadata(String name, String uid) {
        return """
                {"name":"%1$s","namespace":"%2$s","labels":{"app":"%1$s","blueprints.busbar.io/resource":"any",
                 "applyset.kubernetes.io/part-of":"%4$s"},
                 "ownerReferences":[{"apiVersion":"bench.example.com/v1alpha1","kind":"Site","name":"%1$s","uid":"%3$s",
                 "controller":true,"blockOwnerDeletion":true}]}""".formatted(name, Cluster.NAMESPACE, uid, SET);
    }

    /** In the order of {@link Sites#MADE}, with a hole for the metadata. */
    private static List<String> bodies(String text, String name) {
        String base64 = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return List.of("""
                {"apiVersion":"v1","kind":"ConfigMap","metadata":%%s,"data":{"text":"%s","port":"80"}}""".formatted(text), """
                {"apiVersion":"v1","kind":"Secret","metadata":%%s,"data":{"text":"%s"}}""".formatted(base64), """
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":%s}""", """
                {"apiVersion":"v1","kind":"Service","metadata":%s,
                 "spec":{"ports":[{"name":"http","port":80,"targetPort":"http"}]}}""", """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":%%s,"spec":{"replicas":0,"paused":true,
                 "selector":{"matchLabels":{"app":"%1$s"}},"template":{"metadata":{"labels":{"app":"%1$s"}},
                 "spec":{"serviceAccountName":"%1$s","containers":[{"name":"http","image":"nginx:1.27",
                 "ports":[{"name":"http","containerPort":80}],
                 "envFrom":[{"configMapRef":{"name":"%1$s"}},{"secretRef":{"name":"%1$s"}}]}]}}}}""".formatted(name));
    }
}
