package io.busbar.admission.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.ServingCertificate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an operator's webhook configurations in the cluster as they should be, with the CA of the certificate that is
 * served.
 *
 * <p>Any worker: blocks on the API server. To be told of certificates again and again, so that what is undone is done
 * again; writes only what differs. What an API server drops because it is too old for it, such as
 * {@code matchConditions} before 1.28, is named in the log once, and not sent again and again. Needs get, create and
 * update on both kinds of configuration.
 *
 * <p>A configuration that somebody else has installed, as its label {@code app.kubernetes.io/managed-by} says, keeps
 * their failure policies, timeouts and selectors: a chart's values hold, and a kustomization's patches.
 */
public final class WebhookRegistrar implements CertificateListener {

    private static final Logger log = LoggerFactory.getLogger(WebhookRegistrar.class);
    /** By this label tools say that an object is theirs. */
    private static final String MANAGED_BY = "/metadata/labels/app.kubernetes.io~1managed-by";

    private static final List<String> CHOSEN =
            List.of("failurePolicy", "timeoutSeconds", "namespaceSelector", "objectSelector");
    private static final List<String> NARROWING = List.of("namespaceSelector", "objectSelector", "matchConditions");

    private final KubernetesClient client;
    private final List<HasMetadata> configurations;
    private final Map<String, Written> notTaken = new HashMap<>();
    private final Set<String> untouched;

    /** What was sent, and what became of it. */
    private record Written(JsonNode webhooks, JsonNode stored) {}

    /**
     * @param configurations MutatingWebhookConfigurations and ValidatingWebhookConfigurations, without a caBundle
     */
    public WebhookRegistrar(KubernetesClient client, List<HasMetadata> configurations) {
        this(client, configurations, Set.of());
    }

    /**
     * The same where some webhooks can't answer yet.
     *
     * @param untouched names of webhooks among the configurations that are left as they are, registered by an earlier
     *     run or not at all
     */
    public WebhookRegistrar(KubernetesClient client, List<HasMetadata> configurations, Set<String> untouched) {
        this.client = client;
        this.configurations = List.copyOf(configurations);
        this.untouched = Set.copyOf(untouched);
    }

    /**
     * Creates or updates what differs; without a CA, the caBundle that is there is left to whoever takes care of it.
     *
     * @throws KubernetesClientException when the API server does not take it: the next certificate tries again
     */
    @Override
    public void certificateRead(ServingCertificate certificate) {
        configurations.forEach(configuration -> settle(configuration, certificate.caBundle()));
    }

    private void settle(HasMetadata configuration, String caBundle) {
        ObjectNode wanted = tree(configuration);
        if (!caBundle.isEmpty()) {
            String bundle = Base64.getEncoder().encodeToString(caBundle.getBytes(StandardCharsets.UTF_8));
            wanted.path("webhooks")
                    .forEach(webhook -> ((ObjectNode) webhook.path("clientConfig")).put("caBundle", bundle));
        }
        HasMetadata stored = client.resource(configuration).get();
        leave(stored == null ? MissingNode.getInstance() : tree(stored).path("webhooks"), (ArrayNode)
                wanted.path("webhooks"));
        if (stored == null && wanted.path("webhooks").isEmpty()) {
            return;
        }
        ObjectNode present = stored == null ? null : tree(stored);
        if (present != null && caBundle.isEmpty()) {
            keepBundles(present.path("webhooks"), wanted.path("webhooks"));
        }
        if (present != null && present.at(MANAGED_BY).isTextual()) {
            keepChosen(present.path("webhooks"), wanted.path("webhooks"));
        }
        HasMetadata settled = stored;
        if (settled == null || present == null || !isThere(configuration, present, wanted.path("webhooks"))) {
            ObjectNode changed = present == null ? wanted : present.deepCopy();
            changed.set("webhooks", wanted.path("webhooks"));
            tellAppliers(changed);
            settled = present == null
                    ? client.resource(object(changed, configuration)).create()
                    : client.resource(object(changed, configuration)).update();
            log.atInfo()
                    .addKeyValue("kind", configuration.getKind())
                    .addKeyValue("name", configuration.getMetadata().getName())
                    .log("webhooks registered");
            remember(configuration, wanted.path("webhooks"), tree(settled).path("webhooks"));
        }
        settleOwners(present, tree(settled), configuration);
    }

    private void settleOwners(@Nullable ObjectNode before, ObjectNode after, HasMetadata configuration) {
        boolean othersOwn = AppliersRecords.isByUrl(after)
                ? AppliersRecords.handOver(after, List.of("f:webhooks"))
                : before != null && AppliersRecords.isByUrl(before) && AppliersRecords.keepBundles(after);
        if (othersOwn) {
            client.resource(object(after, configuration)).update();
        }
    }

    private static void tellAppliers(ObjectNode object) {
        String applied = AppliersRecords.lastApplied(object);
        if (applied != null) {
            object.withObject("/metadata/annotations").put(AppliersRecords.LAST_APPLIED, applied);
        }
    }

    private boolean isThere(HasMetadata configuration, ObjectNode present, JsonNode wanted) {
        JsonNode stored = present.path("webhooks");
        ObjectNode told = present.deepCopy();
        tellAppliers(told);
        return told.equals(present)
                && (matches(stored, wanted)
                        || new Written(wanted, stored).equals(notTaken.get(configuration.getKind())));
    }

    private void remember(HasMetadata configuration, JsonNode wanted, JsonNode stored) {
        if (matches(stored, wanted)) {
            notTaken.remove(configuration.getKind());
        } else if (!new Written(wanted, stored)
                .equals(notTaken.put(configuration.getKind(), new Written(wanted, stored)))) {
            log.atWarn()
                    .addKeyValue("kind", configuration.getKind())
                    .addKeyValue("name", configuration.getMetadata().getName())
                    .addKeyValue("fields", String.join(",", lacking(stored, wanted)))
                    .log(
                            "the API server does not take all of the webhooks' configuration, and may ask them about more");
        }
    }

    private static Set<String> lacking(JsonNode stored, JsonNode wanted) {
        Set<String> fields = new TreeSet<>();
        for (int i = 0; i < wanted.size(); i++) {
            JsonNode there = stored.path(i);
            wanted.path(i).properties().stream()
                    .filter(field -> !holds(there.path(field.getKey()), field.getValue()))
                    .forEach(field -> fields.add(field.getKey()));
        }
        return fields;
    }

    /** Whether all that is wanted is there, and nothing that narrows what webhooks are asked about. */
    private static boolean matches(JsonNode stored, JsonNode wanted) {
        boolean same = holds(stored, wanted);
        for (int i = 0; same && i < wanted.size(); i++) {
            for (String narrowing : NARROWING) {
                same &= wanted.path(i).hasNonNull(narrowing)
                        || stored.path(i).path(narrowing).isEmpty();
            }
        }
        return same;
    }

    /** Puts what is stored in the place of those that are not to be touched. */
    private void leave(JsonNode stored, ArrayNode wanted) {
        for (int i = wanted.size() - 1; i >= 0; i--) {
            String name = wanted.get(i).path("name").asText();
            if (!untouched.contains(name)) {
                continue;
            }
            wanted.remove(i);
            for (JsonNode theirs : stored) {
                if (theirs.path("name").asText().equals(name)) {
                    wanted.insert(i, theirs);
                }
            }
        }
    }

    /** What somebody else has injected must outlive our own update. */
    private static void keepBundles(JsonNode stored, JsonNode wanted) {
        for (JsonNode theirs : stored) {
            JsonNode bundle = theirs.at("/clientConfig/caBundle");
            for (JsonNode ours : wanted) {
                if (bundle.isTextual() && ours.path("name").equals(theirs.path("name"))) {
                    ((ObjectNode) ours.path("clientConfig")).set("caBundle", bundle);
                }
            }
        }
    }

    /** Whoever has installed a configuration may have another mind than its declaration. */
    private static void keepChosen(JsonNode stored, JsonNode wanted) {
        for (JsonNode theirs : stored) {
            for (JsonNode ours : wanted) {
                if (ours.path("name").equals(theirs.path("name"))) {
                    ((ObjectNode) ours).remove(CHOSEN);
                    CHOSEN.stream()
                            .filter(theirs::hasNonNull)
                            .forEach(field -> ((ObjectNode) ours).set(field, theirs.get(field)));
                }
            }
        }
    }

    private HasMetadata object(ObjectNode tree, HasMetadata of) {
        return client.getKubernetesSerialization().convertValue(tree, of.getClass());
    }

    private ObjectNode tree(HasMetadata object) {
        return client.getKubernetesSerialization().convertValue(object, ObjectNode.class);
    }

    /** Whether all that is wanted is there: the API server adds defaults of its own. */
    private static boolean holds(JsonNode stored, JsonNode wanted) {
        if (wanted.isObject()) {
            return wanted.properties().stream()
                    .allMatch(member -> holds(stored.path(member.getKey()), member.getValue()));
        }
        if (wanted.isArray()) {
            boolean same = stored.size() == wanted.size();
            for (int i = 0; same && i < wanted.size(); i++) {
                same = holds(stored.path(i), wanted.path(i));
            }
            return same;
        }
        return stored.equals(wanted);
    }
}
