package @{types};

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/**
 * What the author of a @{Kind} asks for.
 *
 * @param size how many; left out, there is one. This is an example: put fields of your own in its place, and say of each
 *     here what it is for, as {@code kubectl explain} shows it
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record @{Kind}Spec(
        @Default("1") @Min(1) @Max(10) Integer size) {

    /** The size where none is given. */
    public static final int DEFAULT_SIZE = 1;
}
