package io.busbar.operator.demo;

import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.guestbook.v1.GuestbookStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;

/** A Guestbook is brought up tier by tier, and another frontend becomes the active one when the first is deleted. */
final class GuestbookChapter implements Chapter {

    private static final String NAME = "guests";
    private static final int FRONTENDS = 3;
    private static final String GUESTBOOK = """
            apiVersion: webapp.my.domain/v1
            kind: Guestbook
            metadata:
              name: %s
              namespace: %s
            spec:
              foo: bar
            """.formatted(NAME, Stage.NAMESPACE);

    @Override
    public String title() {
        return "Guestbook";
    }

    @Override
    @SuppressWarnings("try") // the watches tell for as long as they are open
    public void tell(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        KubernetesClient client = stage.client();
        try (Followed<Guestbook> guestbooks = stage.follow(Guestbook.class, one -> describe(one, narrator));
                Followed<Deployment> deployments = stage.follow(Deployment.class, narrator::deployment)) {
            narrator.step("kubectl apply a Guestbook that says nothing but foo: bar");
            client.resource(Serialization.unmarshal(GUESTBOOK, Guestbook.class)).create();
            guestbooks.await("up", guestbook -> ready(guestbook) == FRONTENDS);
            Resource<Guestbook> guestbook = client.resources(Guestbook.class)
                    .inNamespace(Stage.NAMESPACE)
                    .withName(NAME);
            String active =
                    Objects.requireNonNull(guestbook.require().getStatus().active());
            narrator.step("kubectl delete pod " + active);
            client.pods().inNamespace(Stage.NAMESPACE).withName(active).delete();
            guestbooks.await(
                    "up with another active frontend",
                    one -> ready(one) == FRONTENDS
                            && !active.equals(one.getStatus().active()));
        }
    }

    private static int ready(Guestbook guestbook) {
        return guestbook.getStatus() == null ? 0 : guestbook.getStatus().readyFrontend();
    }

    private static void describe(Guestbook guestbook, Narrator narrator) {
        GuestbookStatus status = guestbook.getStatus();
        if (status != null && status.active() != null) {
            narrator.tell(
                    "Guestbook " + guestbook.getMetadata().getName(),
                    "active " + status.active() + ", standby "
                            + status.standby().size());
        }
    }
}
