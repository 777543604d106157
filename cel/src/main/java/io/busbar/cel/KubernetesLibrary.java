package io.busbar.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL: what the checker has to know of them, which a signature says, and what
 * they do.
 *
 * <p>One thread while it is filled, then any. A signature is {@code result name(parameter, parameter)}, its types as in
 * {@link TypeNames}, and those that {@link #type} has named.
 */
@SuppressWarnings("unchecked") // CEL calls a function with values of the types that its signature has.
public final class KubernetesLibrary implements CelCompilerLibrary, CelRuntimeLibrary {

    /** What a function does, without a state. */
    @FunctionalInterface
    public interface Unary<A> {
        Object apply(A argument) throws CelEvaluationException;
    }

    /** The same with two arguments. */
    @FunctionalInterface
    public interface Binary<A, B> {
        Object apply(A first, B second) throws CelEvaluationException;
    }

    /** The same with three. */
    @FunctionalInterface
    public interface Ternary<A, B, C> {
        Object apply(A first, B second, C third) throws CelEvaluationException;
    }

    /** The same with four. */
    @FunctionalInterface
    public interface Quaternary<A, B, C, D> {
        Object apply(A first, B second, C third, D fourth) throws CelEvaluationException;
    }

    @FunctionalInterface
    private interface Body {
        Object apply(Object[] arguments) throws CelEvaluationException;
    }

    private final Map<String, CelType> types = new HashMap<>();
    private final Map<String, Class<?>> values = new HashMap<>(Map.of(
            "string", String.class,
            "int", Long.class,
            "bool", Boolean.class,
            "bytes", CelByteString.class,
            "dyn", Object.class,
            "T", Object.class));
    private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
    /** By function: CEL chooses among them when it evaluates a call whose types are not known before. */
    private final Map<String, List<CelFunctionBinding>> bindings = new LinkedHashMap<>();

    /** The functions for lists, texts, URLs, quantities, IP addresses and versions; others can be added. */
    public KubernetesLibrary() {
        TextConversions.addTo(this);
        ListFunctions.addTo(this);
        TextFunctions.addTo(this);
        UrlFunctions.addTo(this);
        QuantityFunctions.addTo(this);
        AddressFunctions.addTo(this);
        VersionFunctions.addTo(this);
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        // No macros.
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        checker.addFunctionDeclarations(declarations());
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        bindings.forEach((function, ofFunction) ->
                runtime.addFunctionBindings(CelFunctionBinding.fromOverloads(function, ofFunction)));
    }

    /**
     * A type of which nothing is known but what functions do.
     *
     * @param name in signatures
     */
    public void type(String name, CelType type, Class<?> ofValues) {
        types.put(name, type);
        values.put(name, ofValues);
    }

    /** A function that is called as {@code name()}. */
    public void constant(String signature, Object value) {
        add(signature, false, arguments -> value);
    }

    /** A function that is called as {@code name(a)}. */
    public <A> void global(String signature, Unary<A> body) {
        add(signature, false, arguments -> body.apply((A) arguments[0]));
    }

    /** A function that is called as {@code name(a, b)}. */
    public <A, B> void global(String signature, Binary<A, B> body) {
        add(signature, false, arguments -> body.apply((A) arguments[0], (B) arguments[1]));
    }

    /** A function that is called as {@code name(a, b, c)}. */
    public <A, B, C> void global(String signature, Ternary<A, B, C> body) {
        add(signature, false, arguments -> body.apply((A) arguments[0], (B) arguments[1], (C) arguments[2]));
    }

    /** A function that is called as {@code name(a, b, c, d)}. */
    public <A, B, C, D> void global(String signature, Quaternary<A, B, C, D> body) {
        add(
                signature,
                false,
                arguments -> body.apply((A) arguments[0], (B) arguments[1], (C) arguments[2], (D) arguments[3]));
    }

    /** A function that is called as {@code a.name()}. */
    public <A> void member(String signature, Unary<A> body) {
        add(signature, true, arguments -> body.apply((A) arguments[0]));
    }

    /** A function that is called as {@code a.name(b)}. */
    public <A, B> void member(String signature, Binary<A, B> body) {
        add(signature, true, arguments -> body.apply((A) arguments[0], (B) arguments[1]));
    }

    /** A function that is called as {@code a.name(b, c)}. */
    public <A, B, C> void member(String signature, Ternary<A, B, C> body) {
        add(signature, true, arguments -> body.apply((A) arguments[0], (B) arguments[1], (C) arguments[2]));
    }

    private List<CelFunctionDecl> declarations() {
        return overloads.entrySet().stream()
                .map(function -> CelFunctionDecl.newFunctionDeclaration(function.getKey(), function.getValue()))
                .toList();
    }

    private void add(String signature, boolean member, Body body) {
        int space = signature.indexOf(' ');
        int open = signature.indexOf('(', space);
        String written = signature.substring(open + 1, signature.length() - 1);
        String id = "kubernetes_" + signature.replaceAll("\\W+", "_");
        CelType result = type(signature.substring(0, space));
        List<CelType> parameters = new ArrayList<>();
        List<Class<?>> classes = new ArrayList<>();
        for (String parameter : written.isEmpty() ? new String[0] : written.split(", ", -1)) {
            parameters.add(type(parameter));
            classes.add(classOf(parameter));
        }
        String function = signature.substring(space + 1, open);
        overloads
                .computeIfAbsent(function, absent -> new ArrayList<>())
                .add(
                        member
                                ? CelOverloadDecl.newMemberOverload(id, result, parameters)
                                : CelOverloadDecl.newGlobalOverload(id, result, parameters));
        bind(function, binding(id, classes, body));
    }

    /** In place of what CEL itself would do. */
    void bind(String function, CelFunctionBinding binding) {
        bindings.computeIfAbsent(function, absent -> new ArrayList<>()).add(binding);
    }

    /** Of the common numbers of arguments CEL wants to be told. */
    @SuppressWarnings({"Immutable", "unchecked"}) // A body has no state; see above for the types.
    private static CelFunctionBinding binding(String id, List<Class<?>> classes, Body body) {
        return switch (classes.size()) {
            case 1 ->
                CelFunctionBinding.from(
                        id, (Class<Object>) classes.get(0), argument -> body.apply(new Object[] {argument}));
            case 2 ->
                CelFunctionBinding.from(
                        id,
                        (Class<Object>) classes.get(0),
                        (Class<Object>) classes.get(1),
                        (first, second) -> body.apply(new Object[] {first, second}));
            default -> CelFunctionBinding.from(id, classes, body::apply);
        };
    }

    private @Nullable Class<?> classOf(String parameter) {
        if (parameter.startsWith("map(")) {
            return Map.class;
        }
        return parameter.startsWith("list(") ? List.class : values.get(parameter);
    }

    private CelType type(String text) {
        return TypeNames.of(text, name -> Objects.requireNonNull(types.get(name), name));
    }
}
