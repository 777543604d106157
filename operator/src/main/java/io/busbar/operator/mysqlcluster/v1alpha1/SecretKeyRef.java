package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * What a Secret of the same namespace has under a key.
 *
 * <p>Immutable; the key is never null.
 *
 * @param name name of the Secret
 * @param key key within the Secret
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SecretKeyRef(
        @Required @Size(min = 1) String name,
        @Default("password") String key) {

    public SecretKeyRef {
        key = key == null || key.isEmpty() ? "password" : key;
    }
}
