package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.registration.ConversionRegistrar;
import io.busbar.admission.registration.WebhookRegistrar;
import io.busbar.common.ObjectKey;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documented ways to install, by both appliers, and the operator's own registrations, which it makes with its roles
 * alone: each may come after any other, and again.
 */
class AppliersIT {

    private static final String CRD = "sidecarsets.apps.kruise.io";
    private static final String URL = "https://127.0.0.1:9443";
    private static final String SERVICE = "busbar-webhook-service";
    private static final ServingCertificate CERTIFICATE = new EphemeralCertificates(List.of("127.0.0.1")).read();

    private final Map<String, String> files = Bundled.operator().manifests().files();
    private final List<ObjectNode> bases = chosen("config/crd/bases/apps.kruise.io_sidecarsets.yaml", object -> true);
    private final List<ObjectNode> everything = chosen("dist/install-self-signed.yaml", AppliersIT::isRegistered);
    private final Sandbox sandbox = Sandbox.start(SandboxOptions.defaults().withRbac(true));
    private final KubernetesClient user = client(sandbox.kubeconfig());
    private final KubectlApply kubectl = new KubectlApply(user);
    private KubernetesClient operator;

    @TempDir
    private Path folder;

    private record Way(String name, Runnable run, Runnable check) {}

    private final List<Way> ways = List.of(
            new Way("bases", () -> bases.forEach(kubectl::onTheClientsSide), () -> isByService(false)),
            new Way("bases --server-side", () -> bases.forEach(kubectl::onTheServersSide), () -> isByService(false)),
            new Way("everything", () -> everything.forEach(kubectl::onTheClientsSide), this::allIsByService),
            new Way(
                    "everything --server-side",
                    () -> everything.forEach(kubectl::onTheServersSide),
                    this::allIsByService),
            new Way("registered by URL", this::registerByUrl, this::allIsByUrl),
            new Way("registered by Service", this::registerByService, this::allIsByService),
            new Way("conversion set back", this::unregister, this::nothingIsConverted));

    @BeforeEach
    void installs_the_operators_account() throws Exception {
        String namespace = Bundled.operator().namespace();
        Namespaces.ensure(user, namespace, Map.of());
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), sandbox.kubeconfig());
        operator = client(Files.readString(OperatorAccount.of("").install(user, namespace, kubeconfig)));
    }

    @AfterEach
    void stops() {
        operator.close();
        user.close();
        sandbox.close();
    }

    @Test
    void every_way_may_come_after_any_two_others() {
        List<Way> taken = new ArrayList<>();
        for (int next : orders(ways.size(), 3)) {
            Way way = ways.get(next);
            taken.add(way);
            List<String> last = taken.subList(Math.max(0, taken.size() - 5), taken.size()).stream()
                    .map(Way::name)
                    .toList();
            try {
                way.run().run();
                way.check().run();
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("after " + last + ": " + failure.getMessage(), failure);
            }
        }
    }

    @Test
    void what_a_release_says_of_its_webhooks_outlives_every_registration() {
        for (ObjectNode object : everything) {
            ObjectNode changed = object.deepCopy();
            for (JsonNode webhook : changed.path("webhooks")) {
                ((ObjectNode) webhook).put("failurePolicy", "Ignore").put("timeoutSeconds", 3);
                ((ObjectNode) webhook)
                        .putObject("objectSelector")
                        .putObject("matchLabels")
                        .put("asked", "yes");
            }
            kubectl.onTheServersSide(changed);
        }

        for (Runnable way : List.<Runnable>of(this::registerByService, this::registerByUrl, this::registerByService)) {
            way.run();
            webhooks().forEach(webhook -> {
                assertThat(webhook.at("/clientConfig/caBundle").asText()).isNotEmpty();
                assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Ignore");
                assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(3);
                assertThat(webhook.at("/objectSelector/matchLabels/asked").asText())
                        .isEqualTo("yes");
            });
        }
        allIsByService();
    }

    private void registerByUrl() {
        conversion(ConversionRegistrar.byUrl(URL)).certificateRead(CERTIFICATE);
        new WebhookRegistrar(operator, configurations().byUrl(URL, "")).certificateRead(CERTIFICATE);
    }

    private void registerByService() {
        conversion(ConversionRegistrar.byService(service())).certificateRead(CERTIFICATE);
        List<HasMetadata> webhooks =
                configurations().byService(SERVICE, service().namespace());
        new WebhookRegistrar(operator, webhooks).certificateRead(CERTIFICATE);
    }

    private void unregister() {
        conversion(ConversionRegistrar.byUrl(URL)).unregister();
        conversion(ConversionRegistrar.byService(service())).unregister();
    }

    private ConversionRegistrar conversion(WebhookClientConfig webhook) {
        return new ConversionRegistrar(operator, Conversions.of(new SidecarSetBundle().conversions()), webhook);
    }

    private static ObjectKey service() {
        return ObjectKey.of(Bundled.operator().namespace(), SERVICE);
    }

    private WebhookConfigurations configurations() {
        return new WebhookConfigurations(
                "busbar-",
                Bundled.operator().namespace(),
                Bundled.operator().declaration().parts().stream()
                        .map(OperatorPart::webhooks)
                        .flatMap(List::stream)
                        .toList());
    }

    private void allIsByUrl() {
        JsonNode conversion = stored("CustomResourceDefinition").at("/spec/conversion/webhook/clientConfig");
        assertThat(conversion.path("url").asText()).isEqualTo(URL + "/convert");
        assertThat(conversion.has("service")).isFalse();
        assertThat(isServed()).isTrue();
        clientConfigs()
                .forEach(config -> assertThat(config.path("url").asText()).startsWith(URL));
    }

    private void allIsByService() {
        isByService(true);
        clientConfigs().forEach(config -> {
            assertThat(config.at("/service/name").asText()).isEqualTo(SERVICE);
            assertThat(config.has("url")).isFalse();
        });
    }

    private void isByService(boolean served) {
        JsonNode conversion = stored("CustomResourceDefinition").at("/spec/conversion");
        assertThat(conversion.path("strategy").asText()).isEqualTo("Webhook");
        assertThat(conversion.at("/webhook/clientConfig/service/name").asText()).isEqualTo(SERVICE);
        assertThat(conversion.at("/webhook/clientConfig").has("url")).isFalse();
        assertThat(isServed()).isEqualTo(served);
    }

    private void nothingIsConverted() {
        assertThat(stored("CustomResourceDefinition")
                        .at("/spec/conversion/strategy")
                        .asText("None"))
                .isEqualTo("None");
        assertThat(isServed()).isFalse();
    }

    /** The version that has to be converted. */
    private boolean isServed() {
        JsonNode versions = stored("CustomResourceDefinition").at("/spec/versions");
        assertThat(versions.get(1).path("name").asText()).isEqualTo("v1alpha1");
        return versions.get(1).path("served").asBoolean();
    }

    private List<JsonNode> clientConfigs() {
        return webhooks().stream().map(webhook -> webhook.path("clientConfig")).toList();
    }

    private List<JsonNode> webhooks() {
        List<JsonNode> webhooks = new ArrayList<>();
        for (String kind : List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")) {
            stored(kind).path("webhooks").forEach(webhooks::add);
        }
        assertThat(webhooks).hasSizeGreaterThan(2);
        return webhooks;
    }

    private JsonNode stored(String kind) {
        ObjectNode object = everything.stream()
                .filter(applied -> applied.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
        return user.getKubernetesSerialization()
                .convertValue(user.resource(object.toString()).get(), ObjectNode.class);
    }

    private List<ObjectNode> chosen(String file, Predicate<ObjectNode> filter) {
        return Yaml.readAll(files.get(file)).stream()
                .filter(filter)
                .map(AppliersIT::withoutSchemas)
                .toList();
    }

    /** They are long, and no applier looks into them. */
    private static ObjectNode withoutSchemas(ObjectNode object) {
        for (JsonNode version : object.at("/spec/versions")) {
            ((ObjectNode) version)
                    .putObject("schema")
                    .putObject("openAPIV3Schema")
                    .put("type", "object")
                    .put("x-kubernetes-preserve-unknown-fields", true);
        }
        return object;
    }

    private static boolean isRegistered(ObjectNode object) {
        return object.path("kind").asText().endsWith("WebhookConfiguration")
                || object.at("/metadata/name").asText().equals(CRD);
    }

    private static KubernetesClient client(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    /** Numbers below {@code count} in an order that has each sequence of that length once: De Bruijn's. */
    private static List<Integer> orders(int count, int length) {
        List<Integer> found = new ArrayList<>();
        extend(new int[count * length], 1, 1, count, length, found);
        found.addAll(List.copyOf(found.subList(0, length - 1)));
        return found;
    }

    private static void extend(int[] word, int at, int period, int count, int length, List<Integer> found) {
        if (at > length) {
            for (int i = 1; length % period == 0 && i <= period; i++) {
                found.add(word[i]);
            }
            return;
        }
        word[at] = word[at - period];
        extend(word, at + 1, period, count, length, found);
        for (int next = word[at - period] + 1; next < count; next++) {
            word[at] = next;
            extend(word, at + 1, at, count, length, found);
        }
    }
}
