package io.busbar.runtime.bundle;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.Defaulter;
import io.busbar.admission.Validator;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.Listers;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A webhook, whole: the rule that answers, where it is served, and about what the API server is told to ask.
 *
 * <pre>{@code
 * Webhook.defaulting(Widget.class, (widget, request) -> widget.withDefaults())
 * Webhook.validating(Widget.class, new WidgetValidator())
 * Webhook.reading(WebhookManifest.mutating("mpod.example.com", ResourceType.of(Pod.class), Operation.CREATE),
 *         listers -> new PodRule(listers.lister(Widget.class)))
 * }</pre>
 *
 * <p>Immutable; methods return a changed copy.
 */
public final class Webhook {

    private final WebhookManifest manifest;
    private final Function<? super Listers, ? extends AdmissionRule> rule;
    /** Its name where the short one is another's too; null where its author has named it. */
    private final @Nullable String longName;

    private Webhook(
            WebhookManifest manifest,
            Function<? super Listers, ? extends AdmissionRule> rule,
            @Nullable String longName) {
        this.manifest = manifest;
        this.rule = rule;
        this.longName = longName;
    }

    /** One that fills in what objects of a kind leave out; as {@link #mutating} and {@link AdmissionRules#defaulting}. */
    public static <T extends HasMetadata> Webhook defaulting(Class<T> type, Defaulter<T> defaulter) {
        return mutating(type, AdmissionRules.defaulting(type, defaulter));
    }

    /**
     * One that may change objects of a kind: asked when they are created or updated, at {@code
     * /mutate-<group>-<version>-<kind>}, by the name {@code m<kind>.kb.io} or, where its bundle has another of that name, {@code
     * m<kind>-<version>.<group>.kb.io}.
     */
    public static Webhook mutating(Class<? extends HasMetadata> type, AdmissionRule rule) {
        ResourceType resource = ResourceType.of(type);
        return new Webhook(
                WebhookManifest.mutating(name("m", resource), resource, Operation.CREATE, Operation.UPDATE),
                listers -> rule,
                longName("m", resource));
    }

    /**
     * One that refuses what must not be stored, as {@link AdmissionRules#validating}: asked when objects are created or
     * updated, at {@code /validate-<group>-<version>-<kind>}, by the name {@code v<kind>.kb.io} or, where its bundle has another of that
     * name, {@code v<kind>-<version>.<group>.kb.io}.
     */
    public static <T extends HasMetadata> Webhook validating(Class<T> type, Validator<T> validator) {
        ResourceType resource = ResourceType.of(type);
        AdmissionRule rule = AdmissionRules.validating(type, validator);
        return new Webhook(
                WebhookManifest.validating(name("v", resource), resource, Operation.CREATE, Operation.UPDATE),
                listers -> rule,
                longName("v", resource));
    }

    /** Any other. */
    public static Webhook of(WebhookManifest manifest, AdmissionRule rule) {
        return new Webhook(manifest, listers -> rule, null);
    }

    /**
     * One whose rule reads what is watched.
     *
     * @param rule makes it, once for an operator that runs, of what the bundle's controllers watch and {@link
     *     Bundle#reads} names; all of it has been listed when the rule is first asked
     */
    public static Webhook reading(WebhookManifest manifest, Function<? super Listers, ? extends AdmissionRule> rule) {
        return new Webhook(manifest, rule, null);
    }

    /** The same, registered in another way, such as {@code manifest -> manifest.at("/mine")}. */
    public Webhook registered(UnaryOperator<WebhookManifest> change) {
        WebhookManifest changed = change.apply(manifest);
        return new Webhook(changed, rule, changed.name().equals(manifest.name()) ? longName : null);
    }

    /** How it is registered. */
    public WebhookManifest manifest() {
        return manifest;
    }

    /** Makes the rule. */
    public AdmissionRule rule(Listers listers) {
        return rule.apply(listers);
    }

    /** By its long name, unless its author has named it. */
    Webhook byLongName() {
        return longName == null ? this : new Webhook(manifest.named(longName), rule, null);
    }

    private static String longName(String verb, ResourceType resource) {
        String group = resource.group().isEmpty() ? "" : "." + resource.group();
        return verb + resource.kind().toLowerCase(Locale.ROOT) + "-" + resource.version() + group + ".kb.io";
    }

    private static String name(String verb, ResourceType resource) {
        return verb + resource.kind().toLowerCase(Locale.ROOT) + ".kb.io";
    }
}
