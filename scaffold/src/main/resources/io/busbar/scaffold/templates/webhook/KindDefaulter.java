package @{types};

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.Defaulter;

/** Fills in what the author of a @{Kind} has left out. Called on an event loop: no I/O, and the same outcome when called again. */
public final class @{Kind}Defaulter implements Defaulter<@{Kind}> {

    @Override
    public @{Kind} withDefaults(@{Kind} @{kind}, AdmissionRequest request) {
        if (@{kind}.getSpec() == null) {
            @{kind}.setSpec(new @{Kind}Spec(@{Kind}Spec.DEFAULT_SIZE));
        }
        return @{kind};
    }
}
