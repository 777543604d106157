package io.busbar.sandbox.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;

/**
 * The functions that Kubernetes adds to CEL.
 *
 * <p>Immutable.
 */
final class KubernetesLibrary implements CelCompilerLibrary, CelRuntimeLibrary {

    static final KubernetesLibrary INSTANCE = new KubernetesLibrary();

    private final Overloads overloads = new Overloads();

    private KubernetesLibrary() {
        ListFunctions.addTo(overloads);
        TextFunctions.addTo(overloads);
        UrlFunctions.addTo(overloads);
        QuantityFunctions.addTo(overloads);
        AddressFunctions.addTo(overloads);
        NamedFormats.addTo(overloads);
        AuthorizerFunctions.addTo(overloads);
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        // No macros.
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        checker.addFunctionDeclarations(overloads.declarations());
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(overloads.bindings());
    }
}
