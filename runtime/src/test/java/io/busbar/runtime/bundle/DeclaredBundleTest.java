package io.busbar.runtime.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.admission.conversion.Converter;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.review.ReviewReader;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookRule;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Write;
import io.busbar.reconciler.source.MessageSource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeclaredBundleTest {

    private static final String OWN = "shop-system";
    private static final AdmissionRule ALLOWS = request -> AdmissionDecision.allowed();
    private static final Listers NOTHING_WATCHED = new Listers() {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            throw new IllegalArgumentException(type + " is not watched");
        }
    };

    @Test
    void what_controllers_declare_is_allowed_and_nothing_else() {
        OperatorPart part = part(new ShopBundle(List.of(gizmos().finalizer("example.com/clean")
                .owns(Deployment.class)
                .owns(WatchSpec.of(Pod.class), Write.CREATE, Write.DELETE)
                .watches(Namespace.class, KeyMapping.byLabel("gizmo"))
                .reads(WatchSpec.of(Service.class), List.of()))));

        assertThat(rules(part.permissions()))
                .containsExactly(
                        "namespaces: list, watch",
                        "services: list, watch",
                        "pods: create, delete, get, list, watch",
                        "deployments.apps: create, get, list, patch, watch",
                        "events.events.k8s.io: create, patch",
                        "gizmoes.example.com: get, list, patch, watch",
                        "gizmoes/finalizers.example.com: update",
                        "gizmoes/status.example.com: patch");
        assertThat(part.ownNamespace()).isEmpty();
        assertThat(part.types()).containsExactly(Gizmo.class);
    }

    @Test
    void whoever_posts_events_has_a_role_that_lets_him() {
        Controller<Gizmo> gizmos =
                gizmos().source(new MessageSource("git.pushes").overHttp()).source(new MessageSource("of-the-bus"));

        assertThat(part(new ShopBundle(List.of(gizmos))).eventSources()).containsExactly("git.pushes");
        assertThat(OperatorDefinition.of(new ShopBundle(List.of(gizmos)))
                        .manifests()
                        .files()
                        .get("config/rbac/events_poster_role.yaml"))
                .contains("name: events-poster", "- /events/git.pushes", "- post");
    }

    @Test
    void a_controller_that_makes_nothing_and_tells_nothing_needs_to_read_only() {
        Controller<Gadget> gadgets = Controller.of(Gadget.class, (gadget, its) -> ReconcileResult.awaitChange())
                .owns(WatchSpec.of(Pod.class), Write.DELETE);

        assertThat(rules(part(new ShopBundle(List.of(gadgets))).permissions()))
                .containsExactly(
                        "pods: delete, list, watch",
                        "events.events.k8s.io: create, patch",
                        "gadgets.example.com: get, list, watch");
    }

    @Test
    void what_is_watched_in_the_operators_own_namespace_is_allowed_there_alone() {
        OperatorPart part = part(
                new NamedBundle(List.of(gizmos().owns(WatchSpec.of(Secret.class).inNamespaces(Set.of(OWN))))) {
                    @Override
                    public List<WatchRequest<?>> reads(BundleContext context) {
                        return List.of(WatchRequest.readOnly(
                                WatchSpec.of(ConfigMap.class).inNamespaces(Set.of(context.namespace())), List.of()));
                    }

                    @Override
                    public Extras extras(BundleContext context) {
                        return Extras.none()
                                .allowing(Permission.on(Pod.class, "patch"))
                                .allowingInOwnNamespace(Permission.on(Service.class, "create"));
                    }
                });

        assertThat(rules(part.ownNamespace()))
                .containsExactly(
                        "configmaps: list, watch", "secrets: create, get, list, patch, watch", "services: create");
        assertThat(rules(part.permissions())).contains("pods: patch").noneMatch(rule -> rule.startsWith("secrets"));
    }

    @Test
    void what_is_in_the_namespaces_that_an_operator_watches_is_told_from_what_is_not() {
        OperatorPart part = part(new ShopBundle(List.of(gizmos().owns(Deployment.class)
                .watches(Namespace.class, KeyMapping.byLabel("gizmo"))
                .reads(WatchSpec.of(Service.class).inNamespaces(Set.of("kube-system")), List.of()))));

        assertThat(part.permissions().stream()
                        .filter(permission -> !permission.namespaced())
                        .flatMap(permission -> permission.resources().stream()))
                .containsOnly("namespaces", "services");
    }

    @Test
    void what_is_watched_by_its_name_is_allowed_by_that_name() {
        OperatorPart part = part(new NamedBundle(List.of(gizmos())) {
            @Override
            public List<WatchRequest<?>> reads(BundleContext context) {
                return List.of(WatchRequest.readOnly(
                        WatchSpec.of(ConfigMap.class)
                                .inNamespaces(Set.of(context.namespace()))
                                .withFields("metadata.name=prices"),
                        List.of()));
            }
        });

        assertThat(part.ownNamespace())
                .extracting(Permission::names)
                .isNotEmpty()
                .containsOnly(Set.of("prices"));
    }

    @Test
    void kinds_of_others_are_needed_and_not_defined() {
        DeclaredBundle bundle = declared(new NamedBundle(List.of(gizmos())) {
            @Override
            public Extras extras(BundleContext context) {
                return Extras.none().leaving(Gizmo.class).defining(Gadget.class);
            }
        });

        assertThat(bundle.part().types()).containsExactly(Gadget.class);
        assertThat(bundle.needed()).containsExactly(ResourceType.of(Gizmo.class), ResourceType.of(Gadget.class));
    }

    @Test
    void webhooks_are_registered_by_convention_unless_they_say_otherwise() {
        OperatorPart part = part(new NamedBundle(List.of(gizmos())) {
            @Override
            public List<Webhook> webhooks(BundleContext context) {
                return List.of(
                        Webhook.defaulting(Gizmo.class, (gizmo, request) -> gizmo),
                        Webhook.mutating(Gadget.class, ALLOWS).registered(manifest -> manifest.at("/mine")));
            }
        });

        assertThat(part.webhooks())
                .extracting(WebhookManifest::name, WebhookManifest::path)
                .containsExactly(
                        tuple("mgizmo.kb.io", "/mutate-example-com-v1-gizmo"), tuple("mgadget.kb.io", "/mine"));
        assertThat(part.webhooks()).allMatch(WebhookManifest::mutating);
    }

    @Test
    void two_webhooks_at_one_path_are_refused() {
        Bundle bundle = new NamedBundle(List.of(gizmos())) {
            @Override
            public String name() {
                return "shop";
            }

            @Override
            public List<Webhook> webhooks(BundleContext context) {
                return List.of(Webhook.mutating(Gizmo.class, ALLOWS), Webhook.mutating(Gizmo.class, ALLOWS));
            }
        };

        assertThatThrownBy(() -> declared(bundle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bundle shop has two webhooks at /mutate-example-com-v1-gizmo;"
                        + " allowed: a path of its own for each");
    }

    @Test
    void webhooks_of_two_versions_of_a_kind_have_names_of_their_own() {
        assertThat(names(Webhook.mutating(Gizmo.class, ALLOWS), Webhook.mutating(NewerGizmo.class, ALLOWS)))
                .containsExactly("mgizmo-v1.example.com.kb.io", "mgizmo-v2.example.com.kb.io");
        assertThat(names(Webhook.mutating(Gizmo.class, ALLOWS), Webhook.mutating(Namespace.class, ALLOWS)))
                .containsExactly("mgizmo.kb.io", "mnamespace.kb.io");
    }

    @Test
    void two_webhooks_to_which_their_author_gave_one_name_are_refused() {
        Webhook other =
                Webhook.mutating(NewerGizmo.class, ALLOWS).registered(manifest -> manifest.named("mine.example.com"));

        assertThatThrownBy(() -> names(
                        Webhook.mutating(Gizmo.class, ALLOWS)
                                .registered(manifest -> manifest.named("mine.example.com")),
                        other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bundle shop has two webhooks of the name mine.example.com;"
                        + " allowed: a name of its own for each");
    }

    @Test
    void a_webhook_answers_in_each_version_of_a_kind_that_is_converted() {
        Map<String, AdmissionRule> rules = declared(converting(
                        Webhook.defaulting(Gizmo.class, (gizmo, request) -> {
                            gizmo.setSpec(new Spec(3));
                            return gizmo;
                        }),
                        Webhook.validating(Gizmo.class, new Sized<>())))
                .rules(NOTHING_WATCHED);

        for (String version : List.of("v1", "v2")) {
            assertThat(rules.get("/mutate-example-com-v1-gizmo").review(created(version, 0)))
                    .as(version)
                    .isInstanceOf(AdmissionDecision.Patched.class);
            assertThat(rules.get("/validate-example-com-v1-gizmo").review(created(version, 1)))
                    .as(version)
                    .isEqualTo(AdmissionDecision.allowed());
            assertThat(rules.get("/validate-example-com-v1-gizmo").review(created(version, 9)))
                    .as(version)
                    .isInstanceOf(AdmissionDecision.Denied.class);
        }
    }

    @Test
    void a_webhook_is_asked_as_a_version_that_an_earlier_build_knows_and_reads_another() {
        DeclaredBundle bundle = declared(converting(Webhook.validating(Gizmo.class, new Sized<>())
                .askedAs(NewerGizmo.class)
                .registered(manifest -> manifest.at("/mine"))));

        assertThat(bundle.registrations())
                .flatExtracting(WebhookManifest::rules)
                .flatExtracting(WebhookRule::versions)
                .containsExactly("v2");
        assertThat(bundle.rules(NOTHING_WATCHED).get("/mine").review(created("v2", 1)))
                .isEqualTo(AdmissionDecision.allowed());
        assertThatThrownBy(() -> Webhook.mutating(Gizmo.class, ALLOWS).askedAs(Gadget.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("webhook mgizmo.kb.io is asked about no version of gadgets.example.com;"
                        + " allowed: a version of a kind that it is registered for");
    }

    @Test
    void a_webhook_is_answered_where_an_earlier_build_had_it_and_registered_once() {
        DeclaredBundle bundle =
                declared(converting(Webhook.mutating(Gizmo.class, ALLOWS).alsoAt("/earlier")));

        assertThat(bundle.rules(NOTHING_WATCHED)).containsOnlyKeys("/mutate-example-com-v1-gizmo", "/earlier");
        assertThat(bundle.paths()).containsExactly("/mutate-example-com-v1-gizmo", "/earlier");
        assertThat(bundle.registrations())
                .extracting(WebhookManifest::path)
                .containsExactly("/mutate-example-com-v1-gizmo");
        assertThatThrownBy(() -> declared(converting(
                        Webhook.mutating(Gizmo.class, ALLOWS).alsoAt("/earlier"),
                        Webhook.mutating(Gadget.class, ALLOWS).registered(manifest -> manifest.at("/earlier")))))
                .hasMessageContaining("bundle shop has two webhooks at /earlier");
        assertThatThrownBy(() -> Webhook.mutating(Gizmo.class, ALLOWS).alsoAt("earlier"))
                .hasMessage("path beside that of webhook mgizmo.kb.io: 'earlier'; allowed: one that starts with /");
    }

    @Test
    void a_webhook_checks_what_one_version_alone_has_in_that_version() {
        AdmissionRule rule = declared(converting(
                        Webhook.mutating(Gizmo.class, ALLOWS).alsoValidating(NewerGizmo.class, new Sized<>())))
                .rules(NOTHING_WATCHED)
                .get("/mutate-example-com-v1-gizmo");

        assertThat(rule.review(created("v2", 9))).isInstanceOf(AdmissionDecision.Denied.class);
        assertThat(rule.review(created("v2", 1))).isEqualTo(AdmissionDecision.allowed());
        assertThat(rule.review(created("v1", 9))).isEqualTo(AdmissionDecision.allowed());
    }

    /** Refuses what is too big. */
    private static final class Sized<T extends CustomResource<Spec, Spec>> implements Validator<T> {

        @Override
        public Verdict create(T object, AdmissionRequest request) {
            return object.getSpec().size() > 5
                    ? Verdict.of(List.of(FieldProblem.forbidden("spec.size", "too big")))
                    : Verdict.ok();
        }

        @Override
        public Verdict update(T before, T after, AdmissionRequest request) {
            return create(after, request);
        }
    }

    /** With v1 as the hub. */
    private static Bundle converting(Webhook... webhooks) {
        return new NamedBundle(List.of(gizmos())) {
            @Override
            public List<Webhook> webhooks(BundleContext context) {
                return List.of(webhooks);
            }

            @Override
            public List<Versions<?>> conversions() {
                return List.of(Versions.hub(Gizmo.class).spoke(NewerGizmo.class, new SameSize()));
            }
        };
    }

    private static final class SameSize implements Converter<NewerGizmo, Gizmo> {

        @Override
        public Gizmo toHub(NewerGizmo spoke) {
            Gizmo hub = new Gizmo();
            hub.setSpec(spoke.getSpec());
            return hub;
        }

        @Override
        public NewerGizmo fromHub(Gizmo hub) {
            NewerGizmo spoke = new NewerGizmo();
            spoke.setSpec(hub.getSpec());
            return spoke;
        }
    }

    private static AdmissionRequest created(String version, int size) {
        return ReviewReader.read("""
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","operation":"CREATE",
                 "object":{"apiVersion":"example.com/%s","kind":"Gizmo","metadata":{"name":"g"},"spec":{"size":%d}}}}
                """.formatted(version, size).getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> names(Webhook... webhooks) {
        ShopBundle bundle = new NamedBundle(List.of()) {
            @Override
            public String name() {
                return "shop";
            }

            @Override
            public List<Webhook> webhooks(BundleContext context) {
                return List.of(webhooks);
            }
        };
        return declared(bundle).registrations().stream()
                .map(WebhookManifest::name)
                .toList();
    }

    @Test
    void samples_are_those_beside_the_bundle() {
        assertThat(part(new ShopBundle(List.of(gizmos()))).samples())
                .extracting(Sample::file)
                .containsExactly("example_v1_gizmo.yaml");
    }

    @Test
    void is_called_as_its_class_and_needs_a_name_where_that_has_none() {
        assertThatThrownBy(() -> new ShopBundle(List.of()) {}.name()).hasMessageContaining("override name()");
        assertThat(new ShopBundle(List.of()).name()).isEqualTo("shop");
    }

    private static Controller<Gizmo> gizmos() {
        return Controller.of(Gizmo.class, (gizmo, its) -> ReconcileResult.awaitChange());
    }

    private static DeclaredBundle declared(Bundle bundle) {
        return DeclaredBundle.of(bundle, BundleContext.declaring(OWN));
    }

    private static OperatorPart part(Bundle bundle) {
        return declared(bundle).part();
    }

    private static List<String> rules(Collection<Permission> permissions) {
        return Roles.clusterRole("any", permissions).getRules().stream()
                .flatMap(rule -> rule.getResources().stream()
                        .map(resource -> resource
                                + (rule.getApiGroups().get(0).isEmpty()
                                        ? ""
                                        : "." + rule.getApiGroups().get(0))
                                + ": " + String.join(", ", rule.getVerbs())))
                .toList();
    }

    record Spec(int size) {}

    @Group("example.com")
    @Version("v1")
    static final class Gizmo extends CustomResource<Spec, Spec> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    @Group("example.com")
    @Version(value = "v2", storage = false)
    @Kind("Gizmo")
    static final class NewerGizmo extends CustomResource<Spec, Spec> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    private static class ShopBundle implements Bundle {

        private final List<Controller<?>> controllers;

        ShopBundle(List<Controller<?>> controllers) {
            this.controllers = controllers;
        }

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return controllers;
        }
    }

    /** For classes without a name. */
    private static class NamedBundle extends ShopBundle {

        NamedBundle(List<Controller<?>> controllers) {
            super(controllers);
        }

        @Override
        public String name() {
            return "shop";
        }
    }
}
