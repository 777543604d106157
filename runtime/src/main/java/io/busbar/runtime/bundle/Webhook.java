package io.busbar.runtime.bundle;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.Defaulter;
import io.busbar.admission.Validator;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.Listers;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.manifests.webhook.WebhookRule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
 * <p>Of a kind that its bundle converts, a webhook answers in every version: objects in one that its rule does not read
 * are converted before, and what the rule changes is converted back. So replicas of two builds can stand behind one
 * Service while an operator is upgraded, though the API server asks as one of the builds is registered.
 *
 * <p>Immutable; methods return a changed copy.
 */
public final class Webhook {

    private final WebhookManifest manifest;
    /** What its rule reads, whatever it is registered for. */
    private final List<WebhookRule> read;

    private final List<OfVersion> ofVersions;
    private final List<String> otherPaths;
    private final RuleSource rule;
    /** Its name where the short one is another's too; null where its author has named it. */
    private final @Nullable String longName;

    /** What is asked about one version alone. */
    private record OfVersion(ResourceType version, AdmissionRule rule) {}

    /** What makes its rule, and whether that may read what is watched. */
    private record RuleSource(Function<? super Listers, ? extends AdmissionRule> maker, boolean readsWatched) {}

    private Webhook(WebhookManifest manifest, RuleSource rule, @Nullable String longName) {
        this(manifest, manifest.rules(), List.of(), List.of(), rule, longName);
    }

    private Webhook(
            WebhookManifest manifest,
            List<WebhookRule> read,
            List<OfVersion> ofVersions,
            List<String> otherPaths,
            RuleSource rule,
            @Nullable String longName) {
        this.manifest = manifest;
        this.read = read;
        this.ofVersions = ofVersions;
        this.otherPaths = otherPaths;
        this.rule = rule;
        this.longName = longName;
    }

    /**
     * One that fills in what objects of a kind leave out; as {@link #mutating} and {@link AdmissionRules#defaulting}.
     */
    public static <T extends HasMetadata> Webhook defaulting(Class<T> type, Defaulter<T> defaulter) {
        return mutating(type, AdmissionRules.defaulting(type, defaulter));
    }

    /**
     * One that may change objects of a kind: asked when they are created or updated, at {@code
     * /mutate-<group>-<version>-<kind>}, by the name {@code m<kind>.kb.io} or, where its bundle has another of that
     * name, {@code m<kind>-<version>.<group>.kb.io}.
     */
    public static Webhook mutating(Class<? extends HasMetadata> type, AdmissionRule rule) {
        ResourceType resource = ResourceType.of(type);
        return new Webhook(
                WebhookManifest.mutating(name("m", resource), resource, Operation.CREATE, Operation.UPDATE),
                new RuleSource(listers -> rule, false),
                longName("m", resource));
    }

    /**
     * One that refuses what must not be stored, as {@link AdmissionRules#validating}: asked when objects are created or
     * updated, at {@code /validate-<group>-<version>-<kind>}, by the name {@code v<kind>.kb.io} or, where its bundle
     * has another of that name, {@code v<kind>-<version>.<group>.kb.io}.
     */
    public static <T extends HasMetadata> Webhook validating(Class<T> type, Validator<T> validator) {
        ResourceType resource = ResourceType.of(type);
        AdmissionRule rule = AdmissionRules.validating(type, validator);
        return new Webhook(
                WebhookManifest.validating(name("v", resource), resource, Operation.CREATE, Operation.UPDATE),
                new RuleSource(listers -> rule, false),
                longName("v", resource));
    }

    /** Any other. */
    public static Webhook of(WebhookManifest manifest, AdmissionRule rule) {
        return new Webhook(manifest, new RuleSource(listers -> rule, false), null);
    }

    /**
     * One whose rule reads what is watched.
     *
     * @param rule makes it, once for an operator that runs, of what the bundle's controllers watch and {@link
     *     Bundle#reads} names; all of it has been listed when the rule is first asked
     */
    public static Webhook reading(WebhookManifest manifest, Function<? super Listers, ? extends AdmissionRule> rule) {
        return new Webhook(manifest, new RuleSource(rule, true), null);
    }

    /** The same, registered in another way, such as {@code manifest -> manifest.at("/mine")}. */
    public Webhook registered(UnaryOperator<WebhookManifest> change) {
        WebhookManifest changed = change.apply(manifest);
        return new Webhook(
                changed,
                changed.rules().equals(manifest.rules()) ? read : changed.rules(),
                ofVersions,
                otherPaths,
                rule,
                changed.name().equals(manifest.name()) ? longName : null);
    }

    /**
     * The same, asked about one version of a kind, to which the API server converts objects of the others. The rule
     * goes on reading what it read: for a version that replicas of an earlier build know, too, and would not be asked
     * about in vain.
     *
     * @param version of a kind that the webhook is registered for
     * @throws IllegalArgumentException when it is registered for no version of this kind
     */
    public Webhook askedAs(Class<? extends HasMetadata> version) {
        ResourceType resource = ResourceType.of(version);
        List<WebhookRule> asked = manifest.rules().stream()
                .map(old -> names(old, resource) ? old.inVersions(resource.version()) : old)
                .toList();
        if (manifest.rules().stream().noneMatch(old -> names(old, resource))) {
            throw new IllegalArgumentException("webhook " + manifest.name() + " is asked about no version of "
                    + resource + "; allowed: a version of a kind that it is registered for");
        }
        WebhookManifest changed = manifest.about(asked.toArray(WebhookRule[]::new));
        return new Webhook(changed, read, ofVersions, otherPaths, rule, longName);
    }

    /**
     * The same, answered at another path, too, where an earlier build has it registered: its configuration is there for
     * a while when an operator is upgraded, or set back.
     *
     * @throws IllegalArgumentException when the path does not start with a slash
     */
    public Webhook alsoAt(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path beside that of webhook " + manifest.name() + ": '" + path
                    + "'; allowed: one that starts with /");
        }
        return new Webhook(
                manifest,
                read,
                ofVersions,
                Stream.concat(otherPaths.stream(), Stream.of(path)).toList(),
                rule,
                longName);
    }

    /**
     * The same, which also validates what is to be stored and came in a certain version, before it is converted: for
     * what that version alone has. It sees no objects but those that the API server sends in this version, see {@link
     * #askedAs}.
     */
    public <T extends HasMetadata> Webhook alsoValidating(Class<T> version, Validator<T> validator) {
        OfVersion more = new OfVersion(ResourceType.of(version), AdmissionRules.validating(version, validator));
        return new Webhook(
                manifest,
                read,
                Stream.concat(ofVersions.stream(), Stream.of(more)).toList(),
                otherPaths,
                rule,
                longName);
    }

    /** How it is registered. */
    public WebhookManifest manifest() {
        return manifest;
    }

    /** Whether its rule may read what is watched. */
    public boolean readsWatched() {
        return rule.readsWatched();
    }

    /** Where it is answered: first where it is registered. */
    public List<String> paths() {
        return Stream.concat(Stream.of(manifest.path()), otherPaths.stream()).toList();
    }

    /** Makes the rule, for objects as the API server sends them. */
    public AdmissionRule rule(Listers listers, Conversions conversions) {
        AdmissionRule made = rule.maker().apply(listers);
        for (Versions<?> versions : conversions.kinds()) {
            List<String> known = versionsRead(versions);
            if (!known.isEmpty()) {
                made = AdmissionRules.inAnyVersion(versions, known, made);
            }
        }
        for (OfVersion own : ofVersions) {
            made = AdmissionRules.alsoIn(own.version().apiVersion(), own.rule(), made);
        }
        return made;
    }

    private List<String> versionsRead(Versions<?> versions) {
        List<String> named = read.stream()
                .filter(known -> names(known, versions.resource()))
                .flatMap(known -> known.versions().stream())
                .toList();
        return versions.names().stream()
                .filter(version -> named.contains("*") || named.contains(version))
                .toList();
    }

    private static boolean names(WebhookRule rule, ResourceType resource) {
        return (rule.groups().contains("*") || rule.groups().contains(resource.group()))
                && (rule.resources().contains("*")
                        || rule.resources().contains("*/*")
                        || rule.resources().contains(resource.plural()));
    }

    /** By its long name, unless its author has named it. */
    Webhook byLongName() {
        return longName == null
                ? this
                : new Webhook(manifest.named(longName), read, ofVersions, otherPaths, rule, null);
    }

    private static String longName(String verb, ResourceType resource) {
        String group = resource.group().isEmpty() ? "" : "." + resource.group();
        return verb + resource.kind().toLowerCase(Locale.ROOT) + "-" + resource.version() + group + ".kb.io";
    }

    private static String name(String verb, ResourceType resource) {
        return verb + resource.kind().toLowerCase(Locale.ROOT) + ".kb.io";
    }
}
