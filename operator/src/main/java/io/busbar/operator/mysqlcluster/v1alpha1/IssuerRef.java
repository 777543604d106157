package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * An issuer of cert-manager's.
 *
 * <p>Immutable; what has a default is never null.
 *
 * @param name its name; an Issuer is in the namespace of the cluster
 * @param kind Issuer, ClusterIssuer, or a kind of another group
 * @param group API group of the kind
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record IssuerRef(
        @Required @Size(min = 1, max = 253) String name,
        @Default("Issuer") String kind,
        @Default("cert-manager.io") String group) {

    public IssuerRef {
        kind = kind == null || kind.isEmpty() ? "Issuer" : kind;
        group = group == null || group.isEmpty() ? "cert-manager.io" : group;
    }
}
