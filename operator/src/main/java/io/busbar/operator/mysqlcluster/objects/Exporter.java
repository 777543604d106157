package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.v1alpha1.ExporterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * The exporter beside each server. It reads what it logs in with from a file that the kubelet brings anew when the Secret
 * changes. With a certificate, it connects to its server by the name of the Pod, which is what the certificate holds for:
 * that leads to the Pod's own address, and so never leaves it. Pure; any thread.
 */
public final class Exporter {

    /** In the Secret with the passwords. */
    public static final String PASSWORD_KEY = "exporter-password";

    private static final String FILE_KEY = "exporter.cnf";
    private static final String ENCRYPTED_FILE_KEY = "exporter-tls.cnf";

    private static final Template EXPORTER = Template.beside(Exporter.class, "exporter.yaml");
    private static final String SCRIPT = Texts.read("exporter.sh");

    private static final String FOLDER = "/etc/busbar/exporter";

    private Exporter() {}

    /** Empty where none is wanted. */
    public static Optional<ExporterSpec> asked(MySQLCluster cluster) {
        return cluster.wanted().mode() == Mode.Replicated
                ? Optional.ofNullable(cluster.wanted().metrics().exporter())
                : Optional.empty();
    }

    /** What is to be in the Secret with the passwords besides: the option files, for servers without and with TLS. */
    public static Map<String, String> files(String password) {
        String plain = "[client]\nuser=" + ClusterNames.EXPORTER + "\npassword=" + password + "\n";
        return Map.of(
                FILE_KEY, plain, ENCRYPTED_FILE_KEY, plain + "ssl-ca=" + FOLDER + "/" + Encryption.AUTHORITIES + "\n");
    }

    /** @param pod with a server, which has a certificate or not */
    static void add(PodSpec pod, MySQLCluster cluster, ExporterSpec wanted) {
        String name = cluster.getMetadata().getName();
        String namespace = cluster.getMetadata().getNamespace();
        boolean encrypted = ClusterNames.isEncrypted(pod);
        String host = encrypted ? ClusterNames.host(name, namespace, "$(POD_NAME)") : "127.0.0.1";
        PodSpec exporter = EXPORTER.fill(
                        Pod.class,
                        Map.of(
                                "name",
                                name,
                                "namespace",
                                namespace,
                                "image",
                                wanted.image(),
                                "script",
                                SCRIPT,
                                "server",
                                host + ":" + ClusterNames.PORT,
                                "port",
                                wanted.port(),
                                "secret",
                                ClusterNames.auth(name),
                                "file",
                                encrypted ? ENCRYPTED_FILE_KEY : FILE_KEY))
                .getSpec();
        Container container = exporter.getContainers().get(0);
        container.setResources(wanted.resources());
        container.getArgs().addAll(wanted.args());
        Volume volume = exporter.getVolumes().get(0);
        if (encrypted) {
            volume.getProjected()
                    .getSources()
                    .add(new VolumeProjectionBuilder()
                            .withNewSecret()
                            .withName(ClusterNames.tls(name))
                            .withOptional(true)
                            .addNewItem(Encryption.AUTHORITIES, null, Encryption.AUTHORITIES)
                            .endSecret()
                            .build());
        }
        pod.getContainers().add(container);
        pod.getVolumes().add(volume);
    }
}
