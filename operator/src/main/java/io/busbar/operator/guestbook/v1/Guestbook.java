package io.busbar.operator.guestbook.v1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Objects;

/**
 * A guestbook on the web: frontends, a Redis that is written to, and its followers that are read from. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group("webapp.my.domain")
@Version("v1")
@AdditionalPrinterColumn(name = "Active", jsonPath = ".status.active")
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.readyFrontend",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Available", jsonPath = ".status.conditions[?(@.type==\"Available\")].status")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class Guestbook extends RecordResource<Guestbook, GuestbookSpec, GuestbookStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** What is asked for; nothing, where there is no spec. */
    public GuestbookSpec wanted() {
        return Objects.requireNonNullElseGet(getSpec(), GuestbookSpec::empty);
    }
}
