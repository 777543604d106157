package io.busbar.sandbox.verbs;

import io.busbar.sandbox.admission.AdmissionChain;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.storage.MemoryStore;

/** What the verbs work on. One context. */
public record Cluster(
        Catalog catalog, MemoryStore store, AdmissionChain admission, ClusterClock clock, Release release) {}
