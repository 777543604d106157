package io.busbar.operator.demo;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.util.List;

/**
 * What a user does with each bundled kind, and what comes of it.
 *
 * <p>For one thread, which it blocks. Throws {@link io.fabric8.kubernetes.client.KubernetesClientException} when the
 * cluster does not answer, or not as it should.
 */
public final class Story {

    private static final List<Chapter> CHAPTERS = List.of(
            new SidecarSetChapter(),
            new PodSetChapter(),
            new MemcachedChapter(),
            new GuestbookChapter(),
            new PodbuggertoolChapter(),
            new MySQLClusterChapter());

    private final Stage stage;

    public Story(KubernetesClient client, PrintWriter out) {
        this.stage = new Stage(client, new Narrator(out));
    }

    /** Tells the story to its end; what it has made stays. */
    public void tell() throws InterruptedException {
        for (Chapter chapter : CHAPTERS) {
            stage.narrator().chapter(chapter.title());
            chapter.tell(stage);
        }
    }
}
