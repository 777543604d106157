package io.busbar.testkit.builds;

import io.busbar.common.RecordResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A repository whose head is built. */
@Group("sample.example.com")
@Version("v1")
public final class Build extends RecordResource<Build, Build.Spec, Build.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /**
     * @param url of the repository
     * @param secret the name of the Secret whose {@code token} reads it
     */
    public record Spec(String url, String secret) {}

    /**
     * @param commit that is built, or was
     * @param problem why none is; empty where one is
     */
    public record Status(String commit, String problem) {}

    static Build of(String name, String url) {
        Build build = new Build();
        build.getMetadata().setName(name);
        build.setSpec(new Spec(url, "git"));
        return build;
    }
}
