package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the API server asks.
 *
 * <p>For the event loop that answers it. Objects are decoded when they are first asked for, so that a rule pays only
 * for what it reads.
 */
public interface AdmissionRequest {

    enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    String uid();

    Operation operation();

    /** Of the request, such as {@code pods}. */
    String resource();

    /** Empty for the object itself, else such as {@code status}. */
    String subResource();

    /** Empty for a cluster-scoped object. */
    String namespace();

    /** Empty where the API server is still to generate it. */
    String name();

    boolean dryRun();

    String username();

    List<String> groups();

    /**
     * {@code metadata} of the object alone, without decoding the rest; empty where there is no object. Do not change
     * it.
     */
    ObjectNode metadata();

    /**
     * The object as it is to be stored, but for managedFields, which a patch leaves alone; null on DELETE. Do not
     * change it, copy it first.
     */
    @Nullable
    ObjectNode object();

    /** The object as it is stored, but for managedFields; null on CREATE. Do not change it. */
    @Nullable
    ObjectNode oldObject();
}
