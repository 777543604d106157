package io.busbar.sandbox.cel;

import io.busbar.cel.Dialect;
import io.busbar.cel.KubernetesLibrary;

/**
 * What expressions can call on the API server: beside Kubernetes' functions, those for named formats and the
 * authorizer, and the objects that mutations make.
 *
 * <p>Any thread.
 */
final class ServerFunctions {

    static final Dialect DIALECT = Dialect.of(library()).making(MadeObjects.TYPES, MadeObjects::make);

    private ServerFunctions() {}

    private static KubernetesLibrary library() {
        KubernetesLibrary library = new KubernetesLibrary();
        NamedFormats.addTo(library);
        AuthorizerFunctions.addTo(library);
        return library;
    }
}
