package io.busbar.common;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A kind without a model: a class that names it, and objects that are maps. For kinds of others, of which a program
 * reads a field or two.
 *
 * <pre>{@code
 * @Group("cert-manager.io")
 * @Version("v1")
 * public final class Certificate extends UntypedResource implements Namespaced {}
 *
 * Controller.of(WebPage.class, reconciler).owns(Certificate.class);
 * // and in the reconciler:
 * String secret = certificate.get("spec", "secretName");
 * }</pre>
 *
 * <p>All that takes a typed kind takes it: watches, {@code owned}, {@code apply}, {@code status}, {@code delete}. The
 * plural is the kind in lower case with an {@code s} unless {@code @Plural} says otherwise. What a program learns only
 * as it runs is read and written with {@code context.client().genericKubernetesResources(apiVersion, kind)}.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
public abstract class UntypedResource extends GenericKubernetesResource {

    private static final long serialVersionUID = 1L;

    /** With the API version and the kind that the class's annotations say. */
    protected UntypedResource() {
        super.setApiVersion(HasMetadata.getApiVersion(getClass()));
        super.setKind(HasMetadata.getKind(getClass()));
    }
}
