package io.busbar.admission.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.server.AdmissionServer;
import io.busbar.admission.server.AdmissionServerOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The admission server with a rule that does what injection does: fifty selectors, one of which matches, and a sidecar.
 */
public final class PodWebhookServer {

    private static final List<Selector> SELECTORS = selectors();

    private PodWebhookServer() {}

    private record Selector(String label, String value) {}

    public static void main(String[] arguments) {
        serve(PodWebhookServer::inject);
    }

    /** Serves a rule at {@code /mutate-pod} and says so: for a main class that has another rule. */
    public static void serve(AdmissionRule rule) {
        AdmissionServer.start(
                        Vertx.vertx(),
                        AdmissionServerOptions.defaults().on("127.0.0.1", 0),
                        Map.of("/mutate-pod", rule),
                        new EphemeralCertificates(List.of("127.0.0.1")),
                        new SimpleMeterRegistry())
                .onSuccess(server -> System.out.println(ChildServer.LISTENING + server.actualPort()))
                .onFailure(failure -> {
                    failure.printStackTrace();
                    System.exit(1);
                });
    }

    private static AdmissionDecision inject(AdmissionRequest request) {
        JsonNode labels = request.metadata().path("labels");
        for (Selector selector : SELECTORS) {
            if (labels.path(selector.label()).asText("").equals(selector.value())) {
                return AdmissionRules.changed(request, PodWebhookServer::addSidecar);
            }
        }
        return AdmissionDecision.allowed();
    }

    private static void addSidecar(ObjectNode pod) {
        ObjectNode sidecar = pod.withArray("/spec/containers").insertObject(0);
        sidecar.put("name", "log-agent").put("image", "registry.example.com/platform/log-agent:2.4.1");
        sidecar.withArray("/args").add("--config=/etc/agent/agent.yaml").add("--follow");
        sidecar.withArray("/env").addObject().put("name", "IS_INJECTED").put("value", "true");
        sidecar.withArray("/volumeMounts").addObject().put("name", "logs").put("mountPath", "/var/log/app");
        sidecar.withObject("/resources/limits").put("cpu", "100m").put("memory", "64Mi");
        pod.withArray("/spec/volumes").addObject().put("name", "logs").withObject("/emptyDir");
        pod.withObject("/metadata/annotations")
                .put(
                        "kruise.io/sidecarset-hash",
                        "{\"log-agent\":{\"hash\":\"w26c4x8fz245642fdv499b464248f974xddx\"}}");
    }

    private static List<Selector> selectors() {
        List<Selector> result = new ArrayList<>();
        for (int i = 0; i < 49; i++) {
            result.add(new Selector("team", "team-" + i));
        }
        result.add(new Selector("team", "payments"));
        return result;
    }
}
