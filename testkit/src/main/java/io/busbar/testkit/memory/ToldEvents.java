package io.busbar.testkit.memory;

import io.busbar.reconciler.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what was to become Events, each on its own. Any thread. */
final class ToldEvents implements EventRecorder {

    private final List<String> told = new CopyOnWriteArrayList<>();

    @Override
    public void normal(HasMetadata regarding, String reason, String action, String note) {
        told.add("Normal " + reason + ": " + note);
    }

    @Override
    public void warning(HasMetadata regarding, String reason, String action, String note) {
        told.add("Warning " + reason + ": " + note);
    }

    List<String> told() {
        return List.copyOf(told);
    }

    void forget() {
        told.clear();
    }
}
