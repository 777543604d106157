package io.busbar.testkit.sample;

import io.busbar.common.RecordResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A text, served by a number of Pods. */
@Group("sample.example.com")
@Version("v1")
public final class Page extends RecordResource<Page, Page.Spec, Page.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** What is to be served, and how often. */
    public record Spec(String text, int copies) {}

    /** How many Pods there are. */
    public record Status(int pods, long observedGeneration) {}

    public static Page of(String name, String text, int copies) {
        Page page = new Page();
        page.getMetadata().setName(name);
        page.setSpec(new Spec(text, copies));
        return page;
    }
}
