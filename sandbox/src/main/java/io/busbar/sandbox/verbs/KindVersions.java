package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.apply.Versions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The versions that are served of a kind. Where a webhook has to be asked for one, the question is put again when it
 * has answered.
 *
 * <p>One context.
 */
final class KindVersions implements Versions {

    private record Wanted(ObjectNode object, String apiVersion) {}

    /** An answer that has to be waited for. */
    private static final class Pending extends RuntimeException {

        private final transient Future<?> answer;

        Pending(Future<?> answer) {
            super("a conversion is under way", null, false, false);
            this.answer = answer;
        }
    }

    private final Catalog catalog;
    private final Resource resource;
    private final String subresource;
    private final Map<Wanted, ObjectNode> known = new HashMap<>();

    private KindVersions(Catalog catalog, Target target) {
        this.catalog = catalog;
        this.resource = target.resource();
        this.subresource = target.subresource();
    }

    /** @param question a pure function of the versions */
    static <T> Future<T> ask(Catalog catalog, Target target, Function<Versions, T> question) {
        return new KindVersions(catalog, target).ask(question);
    }

    private <T> Future<T> ask(Function<Versions, T> question) {
        try {
            return Future.succeededFuture(question.apply(this));
        } catch (Pending pending) {
            return pending.answer.compose(answered -> ask(question));
        }
    }

    @Override
    public @Nullable ObjectNode convert(ObjectNode object, String apiVersion) {
        String own = object.path("apiVersion").asText(resource.type().apiVersion());
        Resource to = own.equals(apiVersion) ? null : find(apiVersion);
        Resource from = to == null ? null : find(own);
        if (to == null || from == null) {
            return own.equals(apiVersion) ? object : null;
        }
        Wanted wanted = new Wanted(object, apiVersion);
        if (!known.containsKey(wanted)) {
            Future<ObjectNode> answer = to.conversion()
                    .toServed(object, from.conversion())
                    .onSuccess(converted -> known.put(wanted, converted));
            if (!answer.succeeded()) {
                throw new Pending(answer);
            }
        }
        return known.get(wanted);
    }

    @Override
    public ListTopology lists(String apiVersion) {
        Resource version = find(apiVersion);
        return version == null ? ListTopology.PLAIN : version.rules().lists();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // The request's own version.
    public FieldFilter filter(String apiVersion) {
        Resource version = find(apiVersion);
        // A custom resource's reset fields are known for the version of the request alone, as in the real server.
        return version == null || (version.custom() != null && version != resource)
                ? FieldFilter.NONE
                : version.rules().counted(subresource);
    }

    @Override
    public boolean looksBack() {
        return resource.custom() != null;
    }

    private @Nullable Resource find(String apiVersion) {
        if (resource.type().apiVersion().equals(apiVersion)) {
            return resource;
        }
        return catalog.served(resource.storage()).stream()
                .filter(version -> version.type().apiVersion().equals(apiVersion))
                .findFirst()
                .orElse(null);
    }
}
