package io.busbar.runtime.bundle;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.crd.Converted;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.source.EventSource;
import io.busbar.reconciler.source.MessageSource;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A bundle, asked once for all that it declares, and what a cluster needs for that: kinds, permissions, webhooks,
 * samples.
 *
 * <p>Any thread, once it is made. Nothing is started or connected.
 */
public final class DeclaredBundle {

    private final Bundle bundle;
    private final BundleContext context;
    private final List<Controller<?>> controllers;
    private final List<WatchRequest<?>> reads;
    private final List<Webhook> webhooks;
    private final Extras extras;
    private final Optional<Account> account;
    private final List<Versions<?>> conversions;

    private DeclaredBundle(Bundle bundle, BundleContext context) {
        this.bundle = bundle;
        this.context = context;
        this.controllers = List.copyOf(bundle.controllers(context));
        this.reads = List.copyOf(bundle.reads(context));
        this.webhooks = withOwnNames(bundle.webhooks(context));
        this.extras = bundle.extras(context);
        this.account = bundle.account(context);
        this.conversions = List.copyOf(bundle.conversions());
        requireOwn("at ", "path", paths());
        requireOwn(
                "of the name ",
                "name",
                registrations().stream().map(WebhookManifest::name).toList());
    }

    /**
     * Asks a bundle for all that it declares.
     *
     * @throws IllegalArgumentException when two of its webhooks have the same path, or the same name
     */
    public static DeclaredBundle of(Bundle bundle, BundleContext context) {
        return new DeclaredBundle(bundle, context);
    }

    /** That was asked. */
    public Bundle bundle() {
        return bundle;
    }

    /** For one operator: whoever runs them tells them its defaults. */
    public List<Controller<?>> controllers() {
        return controllers;
    }

    /** What the rules of its webhooks read and no controller watches. */
    public List<WatchRequest<?>> reads() {
        return reads;
    }

    /** Each with a path of its own. */
    public List<Webhook> webhooks() {
        return webhooks;
    }

    /** The kinds that are converted from version to version. */
    public List<Versions<?>> conversions() {
        return conversions;
    }

    /** How its webhooks are registered. */
    public List<WebhookManifest> registrations() {
        return webhooks.stream().map(Webhook::manifest).toList();
    }

    /** Where its webhooks are answered, those of earlier builds included. */
    public List<String> paths() {
        return webhooks.stream().flatMap(webhook -> webhook.paths().stream()).toList();
    }

    /**
     * Makes the rules of its webhooks, which answer in each version of the kinds that it converts.
     *
     * @param listers of what its controllers watch and it reads beside
     * @return by path
     */
    public Map<String, AdmissionRule> rules(Listers listers) {
        Conversions converted = Conversions.of(conversions);
        Map<String, AdmissionRule> rules = new HashMap<>();
        for (Webhook webhook : webhooks) {
            AdmissionRule rule = webhook.rule(listers, converted);
            webhook.paths().forEach(path -> rules.put(path, rule));
        }
        return Map.copyOf(rules);
    }

    /** With whose rights its controllers work; empty where these are the operator's own. */
    public Optional<Account> account() {
        return account;
    }

    /** The custom kinds that must be in the operator's own cluster for it to run, whoever defines them. */
    public List<ResourceType> needed() {
        Stream<ResourceType> described = Stream.concat(
                        controllers.stream()
                                .filter(controller -> controller.clusters().contains(""))
                                .map(Controller::type),
                        extras.kinds().stream())
                .filter(CustomResource.class::isAssignableFrom)
                .filter(type -> !type.isAnnotationPresent(Converted.class))
                .distinct()
                .map(ResourceType::of);
        return Stream.concat(described, OperatorPart.kinds(extras.definitions()))
                .toList();
    }

    /** What a cluster needs for it. Reads its samples. */
    public OperatorPart part() {
        List<Class<? extends CustomResource<?, ?>>> kinds = kinds(Stream.concat(
                controllers.stream().map(Controller::type),
                conversions.stream().flatMap(versions -> versions.types().stream())));
        DerivedPermissions permissions = new DerivedPermissions(context.namespace());
        if (!extras.exact()) {
            controllers.forEach(permissions::add);
        }
        reads.forEach(permissions::addWatch);
        conversions.forEach(permissions::addMigration);
        List<Permission> all = permissions.everywhere(extras.permissions());
        // The rights of one in another namespace are for whoever has made it to give.
        Optional<Account> own = account.filter(one -> one.namespace().equals(context.namespace()));
        return new OperatorPart(
                bundle.name(),
                kinds,
                extras.definitions(),
                own.map(one -> Map.of(one.name(), all)).orElseGet(Map::of),
                account.isEmpty() ? all : List.of(),
                Stream.concat(
                                permissions.inOwnNamespace(extras.ownNamespace()).stream(),
                                own.stream().map(DeclaredBundle::impersonation))
                        .toList(),
                registrations(),
                samples(kinds),
                postedEvents(),
                related(),
                extras.images(),
                extras.alerts(),
                extras.graphs());
    }

    private static Permission impersonation(Account account) {
        return Permission.of("", List.of("serviceaccounts"), "impersonate").named(account.name());
    }

    /** The event sources of its controllers to which changes may be posted, by their addresses. */
    public List<String> postedEvents() {
        return controllers.stream()
                .flatMap(controller -> controller.sources().stream())
                .filter(source -> source instanceof MessageSource messages && messages.http())
                .map(EventSource::name)
                .distinct()
                .toList();
    }

    /** What controllers make and look at beside their primaries, by these. */
    private Map<String, List<ResourceType>> related() {
        return controllers.stream()
                .collect(Collectors.toMap(
                        controller -> ResourceType.of(controller.type()).toString(),
                        controller -> controller.watchRequests().stream()
                                .map(watch -> watch.spec().resource())
                                .filter(type -> !type.equals(ResourceType.of(controller.type())))
                                .toList(),
                        (some, more) -> Stream.concat(some.stream(), more.stream())
                                .distinct()
                                .toList()));
    }

    /** Webhooks of two versions of a kind, or of kinds of one name in two groups, have the same short name. */
    private static List<Webhook> withOwnNames(List<Webhook> webhooks) {
        Map<String, Long> named = webhooks.stream()
                .collect(Collectors.groupingBy(webhook -> webhook.manifest().name(), Collectors.counting()));
        return webhooks.stream()
                .map(webhook -> named.getOrDefault(webhook.manifest().name(), 1L) > 1 ? webhook.byLongName() : webhook)
                .toList();
    }

    private void requireOwn(String where, String what, List<String> all) {
        Set<String> seen = new HashSet<>();
        for (String one : all) {
            if (!seen.add(one)) {
                throw new IllegalArgumentException("bundle " + bundle.name() + " has two webhooks " + where + one
                        + "; allowed: a " + what + " of its own for each");
            }
        }
    }

    /** Those of some types that are its to define, and those that only it can know of. */
    @SuppressWarnings("unchecked") // a class of custom resources is one of those with some spec and status
    private List<Class<? extends CustomResource<?, ?>>> kinds(Stream<? extends Class<?>> seen) {
        Set<Class<? extends CustomResource<?, ?>>> kinds = new LinkedHashSet<>();
        seen.filter(CustomResource.class::isAssignableFrom)
                .forEach(type -> kinds.add((Class<? extends CustomResource<?, ?>>) type));
        kinds.addAll(extras.kinds());
        extras.foreign().forEach(kinds::remove);
        return List.copyOf(kinds);
    }

    /** Those in the folder {@code samples} beside the bundle's class, by kubebuilder's names. */
    private List<Sample> samples(List<Class<? extends CustomResource<?, ?>>> kinds) {
        List<Sample> samples = new ArrayList<>();
        for (Class<? extends CustomResource<?, ?>> kind : kinds) {
            ResourceType resource = ResourceType.of(kind);
            String file = "samples/" + resource.group().replaceFirst("\\..*", "") + "_" + resource.version() + "_"
                    + resource.kind().toLowerCase(Locale.ROOT) + ".yaml";
            if (bundle.getClass().getResource(file) != null) {
                samples.add(Sample.beside(bundle.getClass(), file));
            }
        }
        return samples;
    }
}
