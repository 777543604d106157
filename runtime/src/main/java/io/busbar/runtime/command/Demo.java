package io.busbar.runtime.command;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;

/** Plays a user of an operator that runs, and tells what happens. For one thread, which it may block. */
public interface Demo {

    /**
     * Returns at the end; what it has made stays.
     *
     * @param client of an admin
     * @param out for what is told
     * @throws Exception when the operator does not do its part
     */
    void play(KubernetesClient client, PrintWriter out) throws Exception;
}
