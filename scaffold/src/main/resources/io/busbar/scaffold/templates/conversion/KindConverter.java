package @{types};

import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.admission.conversion.Converter;

/**
 * Says what a @{Kind} of version @{version} is in version @{hubVersion}, the hub, and the reverse. Called on an event loop: no I/O.
 *
 * <p>Takes over all fields that both versions have under the same name. What the other version cannot hold is kept in an annotation, and
 * put back on the way back.
 */
public final class @{Kind}Converter implements Converter<@{Kind}, @{hub}> {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public @{hub} toHub(@{Kind} spoke) {
        @{hub} hub = new @{hub}();
        hub.setMetadata(spoke.getMetadata());
        hub.setSpec(JSON.convertValue(spoke.getSpec(), @{hub}Spec.class));
        hub.setStatus(JSON.convertValue(spoke.getStatus(), @{hub}Status.class));
        return hub;
    }

    @Override
    public @{Kind} fromHub(@{hub} hub) {
        @{Kind} spoke = new @{Kind}();
        spoke.setMetadata(hub.getMetadata());
        spoke.setSpec(JSON.convertValue(hub.getSpec(), @{Kind}Spec.class));
        spoke.setStatus(JSON.convertValue(hub.getStatus(), @{Kind}Status.class));
        return spoke;
    }
}
