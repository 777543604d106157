package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.sql.AccountName;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/** Objects that stand for the same thing on the same servers. Pure; any thread. */
final class Namesakes {

    /** In no name that a server takes. */
    private static final String SEPARATOR = "\0";

    private Namesakes() {}

    /** By which the cluster of an object is found. */
    static ObjectKey cluster(HasMetadata object, String name) {
        return ObjectKey.of(object.getMetadata().getNamespace(), name);
    }

    /** A value for an index. */
    static String value(HasMetadata object, String cluster, String... parts) {
        return object.getMetadata().getNamespace() + SEPARATOR + cluster + SEPARATOR + String.join(SEPARATOR, parts);
    }

    static AccountName account(MySQLUser user) {
        return new AccountName(user.userName(), user.getSpec().host());
    }

    /** The oldest of an object and its namesakes, if that is another one: it decides, until it is gone. */
    static <T extends HasMetadata> Optional<T> elder(T object, Content<T> content, ReconcileContext<T> context) {
        Class<T> type = type(object);
        return context.lister(type).by(content.byName(), content.nameOf(object)).stream()
                .min(Comparator.comparing((T one) ->
                                Objects.requireNonNullElse(one.getMetadata().getCreationTimestamp(), ""))
                        .thenComparing(one -> one.getMetadata().getName()))
                .filter(oldest -> !oldest.getMetadata()
                        .getName()
                        .equals(object.getMetadata().getName()));
    }

    @SuppressWarnings("unchecked") // each kind is a final class
    static <T extends HasMetadata> Class<T> type(T object) {
        return (Class<T>) object.getClass();
    }
}
