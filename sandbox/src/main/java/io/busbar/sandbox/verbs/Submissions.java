package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What is posted and not kept: below an object, such as a Binding, or a mere question. Others have their say in it as
 * in an object that is made; then it is carried out.
 *
 * <p>One context.
 */
public final class Submissions {

    private static final List<String> SYSTEMS =
            List.of("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

    private final Cluster cluster;
    private final NamespaceGate namespaces;
    private final Owners owners;

    Submissions(Cluster cluster) {
        this.cluster = cluster;
        this.namespaces = new NamespaceGate(cluster.store());
        this.owners = new Owners(cluster);
    }

    /**
     * @param body of that kind; not shared
     * @param check may complete the body; throws a {@link StatusException} for one that is invalid
     * @param carryOut gets the body once everybody has allowed it
     */
    public <T> Future<T> submit(
            Target target,
            WriteOptions options,
            ObjectKind kind,
            ObjectNode body,
            Consumer<ObjectNode> check,
            Function<ObjectNode, Future<T>> carryOut) {
        AdmissionAttributes attributes = AdmissionAttributes.create(target, kind, options);
        Metadata metadata = Metadata.of(body);
        metadata.node().remove(SYSTEMS);
        if (!target.namespace().isEmpty()) {
            Creates.place(target, Metadata.of(body));
            namespaces.checkCreate(target, target.name());
        }
        ObjectNode owned = owners.submitted(target, options, kind, body);
        return cluster.admission().mutate(attributes, owned).compose(mutated -> {
            ObjectNode wanted = Objects.requireNonNull(mutated);
            check.accept(wanted);
            return cluster.admission().validate(attributes, wanted).compose(allowed -> carryOut.apply(wanted));
        });
    }
}
