package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.CompilationException;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.cel.AdmissionCompiler;
import io.busbar.sandbox.cel.AdmissionCompiler.Result;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Tells in the status of a ValidatingAdmissionPolicy what is wrong with its expressions for the kinds that it is about.
 * A policy does what it does nevertheless.
 *
 * <p>One context. Built-in kinds alone: those of custom resources are not looked at.
 */
public final class TypeChecking {

    private static final int MOST_KINDS = 10;

    private final ControllerContext context;
    private final Catalog catalog;

    private TypeChecking(ControllerContext context, Catalog catalog) {
        this.context = context;
        this.catalog = catalog;
    }

    public static ControllerLoop start(ControllerContext context, Catalog catalog) {
        return new ControllerLoop(context, Kind.VALIDATING_POLICY, new TypeChecking(context, catalog)::sync);
    }

    private Future<@Nullable Duration> sync(ObjectNode policy) {
        long generation = Metadata.of(policy).generation();
        if (policy.at("/status/observedGeneration").asLong() >= generation) {
            return Future.succeededFuture();
        }
        ObjectNode checking = JsonNodeFactory.instance.objectNode();
        JsonNode validations = policy.path("spec").path("validations");
        for (int i = 0; i < validations.size(); i++) {
            for (String field : List.of("expression", "messageExpression")) {
                String text = validations.path(i).path(field).asText();
                String warning = text.isEmpty() ? "" : warning(policy.path("spec"), text);
                if (!warning.isEmpty()) {
                    checking.withArray("expressionWarnings")
                            .addObject()
                            .put("fieldRef", "spec.validations[" + i + "]." + field)
                            .put("warning", warning);
                }
            }
        }
        return Writes.of(context)
                .updateStatus(
                        Kind.VALIDATING_POLICY,
                        policy,
                        status -> status.put("observedGeneration", (int) generation)
                                .set("typeChecking", checking))
                .map(written -> null);
    }

    private String warning(JsonNode spec, String text) {
        StringJoiner warnings = new StringJoiner("\n");
        for (ResourceType type : types(spec.path("matchConstraints").path("resourceRules"))) {
            AdmissionCompiler compiler = new AdmissionCompiler(spec.has("paramKind"))
                    .about(Type.nameOf(type.group(), type.version(), type.kind()));
            for (JsonNode variable : spec.path("variables")) {
                compiler.tryDeclare(
                        variable.path("name").asText(),
                        variable.path("expression").asText());
            }
            try {
                compiler.compile(text, Result.ANYTHING, true);
            } catch (CompilationException e) {
                String words = String.valueOf(e.getMessage());
                warnings.add(type.group() + "/" + type.version() + ", Kind=" + type.kind() + ": "
                        + words.replaceFirst("^compilation failed: ", ""));
            }
        }
        return warnings.toString();
    }

    /** The built-in kinds that rules name, without wildcards. */
    private List<ResourceType> types(JsonNode rules) {
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode rule : rules) {
            for (JsonNode group : rule.path("apiGroups")) {
                for (JsonNode version : rule.path("apiVersions")) {
                    for (JsonNode resource : rule.path("resources")) {
                        catalog.find(group.asText(), version.asText(), resource.asText())
                                .map(Resource::type)
                                .filter(type -> Type.find(type.group(), type.version(), type.kind()) != null
                                        && !types.contains(type)
                                        && types.size() < MOST_KINDS)
                                .ifPresent(types::add);
                    }
                }
            }
        }
        types.sort((one, other) -> key(one).compareTo(key(other)));
        return types;
    }

    private static String key(ResourceType type) {
        return type.group() + "/" + type.version() + "/" + type.kind();
    }
}
