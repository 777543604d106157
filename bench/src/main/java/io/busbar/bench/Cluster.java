package io.busbar.bench;

import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of KUBECONFIG, or a sandbox of its own where that names none. The definition of PodSet and a namespace are
 * made in it, and deleted at the end; one that has that definition already is refused, as somebody may work with it.
 */
final class Cluster implements AutoCloseable {

    static final String NAMESPACE = "busbar-bench";
    static final String SETS = "/apis/apps.jicki.cn/v1alpha1/namespaces/" + NAMESPACE + "/podsets";
    static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";

    private static final Path DEFINITION = Path.of("manifests/config/crd/bases/apps.jicki.cn_podsets.yaml");

    private final Path kubeconfig;
    private final @Nullable Process sandbox;
    private final ApiConnection api;

    private Cluster(Path kubeconfig, @Nullable Process sandbox) throws Exception {
        this.kubeconfig = kubeconfig;
        this.sandbox = sandbox;
        System.setProperty("kubeconfig", kubeconfig.toString()); // for the clients of this process
        this.api = new ApiConnection();
        prepare();
    }

    static Cluster open(Path jar) throws Exception {
        String given = System.getenv("KUBECONFIG");
        if (given != null && !given.isEmpty()) {
            return new Cluster(Path.of(given), null);
        }
        Path kubeconfig = Files.createTempDirectory("busbar-bench").resolve("kubeconfig");
        Process sandbox = new ProcessBuilder(
                        OperatorProcess.JAVA,
                        "-Xmx2g",
                        "-jar",
                        jar.toString(),
                        "sandbox",
                        "--port",
                        "0",
                        "--kubeconfig",
                        kubeconfig.toString())
                .redirectErrorStream(true)
                .redirectOutput(kubeconfig.resolveSibling("sandbox.log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(sandbox::destroy));
        while (!Files.exists(kubeconfig)) {
            if (sandbox.waitFor(100, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the sandbox has ended: see " + kubeconfig.resolveSibling("sandbox.log"));
            }
        }
        return new Cluster(kubeconfig, sandbox);
    }

    private void prepare() throws Exception {
        KubernetesClient client = api.client();
        try (InputStream definition = Files.newInputStream(DEFINITION)) {
            client.load(definition).create();
        } catch (KubernetesClientException refused) {
            throw new IllegalStateException(
                    refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                            ? "the cluster has PodSets already, and perhaps an operator for them: this needs one that has"
                                    + " not. After a run that was cut off: kubectl delete namespace " + NAMESPACE
                                    + "; kubectl delete -f " + DEFINITION
                            : refused.getMessage(),
                    refused);
        }
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        while (client.serviceAccounts()
                                .inNamespace(NAMESPACE)
                                .withName("default")
                                .get()
                        == null
                || !isServed()) {
            Thread.sleep(100);
        }
        clear();
    }

    private boolean isServed() throws InterruptedException {
        try {
            api.get(SETS);
            return true;
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception notYet) {
            return false;
        }
    }

    /** @param text YAML of objects */
    void apply(String text) {
        api.client()
                .load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .serverSideApply();
    }

    /** For the processes that work on it. */
    Path kubeconfig() {
        return kubeconfig;
    }

    /** For one thread. */
    ApiConnection api() {
        return api;
    }

    /** What it is, for people. */
    String description() {
        return (sandbox == null ? "API server " : "the sandbox, ")
                + api.client().getKubernetesVersion().getGitVersion();
    }

    /** Sets first, so that nobody makes their Pods anew; then the Pods, without waiting for the garbage collector. */
    void clear() throws Exception {
        api.delete(SETS, "{\"propagationPolicy\":\"Background\"}");
        do {
            api.delete(PODS, "{\"gracePeriodSeconds\":0}");
            Thread.sleep(300);
        } while (count(SETS) + count(PODS) > 0);
    }

    /** How many objects there are. */
    long count(String collection) throws Exception {
        GenericKubernetesResourceList page = api.client()
                .getKubernetesSerialization()
                .unmarshal(api.get(collection + "?limit=1"), GenericKubernetesResourceList.class);
        Long more = page.getMetadata().getRemainingItemCount();
        return page.getItems().size() + (more == null ? 0 : more);
    }

    @Override
    public void close() throws IOException {
        if (sandbox == null) {
            api.client().namespaces().withName(NAMESPACE).delete();
            try (InputStream definition = Files.newInputStream(DEFINITION)) {
                api.client().load(definition).delete();
            }
        }
        api.close();
        if (sandbox != null) {
            sandbox.destroy();
        }
    }
}
