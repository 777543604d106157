package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * A server outside, of the same product as the cluster's and no newer, with a binary log and GTIDs. Its databases are
 * copied, and what is written there is followed, until the annotation {@code database.example.com/cut-over} has the
 * cluster take over. Its accounts and rights are left out.
 *
 * <p>Immutable; what has a default is never null.
 *
 * @param host by which the members reach it
 * @param port where it listens
 * @param credentialsSecretRef a Secret with the keys username and password: of an account that may read all that is
 *     to be copied, and replicate
 * @param tls whether connections to it are encrypted, and verified; not, if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ExternalPrimary(
        @Required @Size(min = 1, max = 255) String host,
        @Default("3306") @Min(1) @Max(65535) Integer port,
        @Required SecretRef credentialsSecretRef,
        ExternalTls tls) {

    public ExternalPrimary {
        port = Present.number(port, 3306);
        tls = tls == null ? ExternalTls.NONE : tls;
    }
}
