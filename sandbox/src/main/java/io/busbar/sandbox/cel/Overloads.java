package io.busbar.sandbox.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects functions: what the checker has to know of them, and what they do.
 *
 * <p>One thread while it is filled, then any.
 */
final class Overloads {

    /** A type of CEL and the class of its values. */
    record Kind(CelType type, Class<?> values) {}

    /** What a function does: a function of its arguments, without a state. */
    @FunctionalInterface
    interface Body {

        Object apply(Object[] arguments) throws CelEvaluationException;
    }

    private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** A function: {@code name(a, b)}. */
    void global(String name, CelType result, List<Kind> parameters, Body body) {
        String id = id(name, parameters);
        overloads(name)
                .add(CelOverloadDecl.newGlobalOverload(
                        id, result, parameters.stream().map(Kind::type).toList()));
        bind(id, parameters, body);
    }

    /** A method: {@code a.name(b)}. */
    void member(String name, CelType result, List<Kind> parameters, Body body) {
        String id = "of_" + id(name, parameters);
        overloads(name)
                .add(CelOverloadDecl.newMemberOverload(
                        id, result, parameters.stream().map(Kind::type).toList()));
        bind(id, parameters, body);
    }

    List<CelFunctionDecl> declarations() {
        return overloads.entrySet().stream()
                .map(function -> CelFunctionDecl.newFunctionDeclaration(function.getKey(), function.getValue()))
                .toList();
    }

    List<CelFunctionBinding> bindings() {
        return List.copyOf(bindings);
    }

    private List<CelOverloadDecl> overloads(String name) {
        return overloads.computeIfAbsent(name, absent -> new ArrayList<>());
    }

    @SuppressWarnings("Immutable") // A body has no state.
    private void bind(String id, List<Kind> parameters, Body body) {
        List<Class<?>> classes = new ArrayList<>();
        parameters.forEach(parameter -> classes.add(parameter.values()));
        bindings.add(CelFunctionBinding.from(id, classes, body::apply));
    }

    private static String id(String name, List<Kind> parameters) {
        StringBuilder id = new StringBuilder("kubernetes_").append(name.replace('.', '_'));
        parameters.forEach(parameter -> id.append('_')
                .append(parameter.values().getSimpleName())
                .append(parameter.type().name().hashCode()));
        return id.toString();
    }
}
