package io.busbar.sandbox.garbage;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.FakeStore;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.kinds.Rooms;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class GarbageCollectorTest {

    private static final Catalog CATALOG = new Catalog(BuiltIn.resources(Rooms.KINDS, new Release(36)));
    private static final GroupResource THINGS = GroupResource.core("configmaps");

    @Test
    void a_dependent_goes_after_its_owner_and_its_own_dependents_after_it(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            thing(store, "owner");
            thing(store, "child", "owner");
            thing(store, "grandchild", "child");
            thing(store, "stranger");
            Future<?> gone = gone(store, "grandchild");
            delete(store, "owner", "Background");
            return gone.map(done -> {
                assertThat(names(store)).containsExactly("stranger");
                assertThat(deletions(store)).containsExactly("owner", "child", "grandchild");
                return done;
            });
        });
    }

    @Test
    void an_object_whose_owner_was_never_there_goes(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            Future<?> gone = gone(store, "child");
            thing(store, "child", "nobody");
            return gone;
        });
    }

    @Test
    void one_owner_that_stays_is_enough(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            thing(store, "one");
            thing(store, "two");
            thing(store, "child", "one", "two");
            Future<?> disowned = seen(
                    store,
                    event -> event.key().name().equals("child")
                            && event.object().at("/metadata/ownerReferences").size() == 1);
            delete(store, "one", "Background");
            return disowned.map(done -> {
                assertThat(names(store)).containsExactly("child", "two");
                return done;
            });
        });
    }

    @Test
    void a_foreground_deletion_waits_for_those_that_block_it(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            thing(store, "owner");
            thing(store, "child", "owner");
            thing(store, "grandchild", "child");
            Future<?> gone = gone(store, "owner");
            delete(store, "owner", "Foreground");
            return gone.map(done -> {
                assertThat(deletions(store)).containsExactly("grandchild", "child", "owner");
                return done;
            });
        });
    }

    @Test
    void an_orphaning_deletion_leaves_the_dependents(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            thing(store, "owner");
            thing(store, "child", "owner");
            Future<?> gone = gone(store, "owner");
            delete(store, "owner", "Orphan");
            return gone.map(done -> {
                assertThat(names(store)).containsExactly("child");
                assertThat(store.list(THINGS).get(0).path("metadata").has("ownerReferences"))
                        .isFalse();
                return done;
            });
        });
    }

    @Test
    void what_was_there_before_it_started_is_judged_as_a_whole(Vertx vertx, VertxTestContext test) {
        vertx.runOnContext(turn -> {
            FakeStore store = new FakeStore(vertx.getOrCreateContext());
            thing(store, "a-child", "z-owner");
            thing(store, "b-lost", "nobody");
            thing(store, "z-owner");
            Future<?> gone = gone(store, "b-lost");
            new GarbageCollector(vertx, store, CATALOG, ClusterClock.system(vertx)).start();
            gone.onComplete(test.succeeding(done -> test.verify(() -> {
                assertThat(names(store)).containsExactly("a-child", "z-owner");
                test.completeNow();
            })));
        });
    }

    @Test
    void an_owner_of_another_name_kind_or_namespace_is_none(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            thing(store, "owner");
            store.create(THINGS, object("{metadata: {namespace: 'm', name: 'far'}}"));
            Future<?> all = Future.all(gone(store, "misnamed"), gone(store, "unlike"), gone(store, "stranger"));
            child(store, "misnamed", "{apiVersion: 'v1', kind: 'ConfigMap', name: 'ownr', uid: 'uid-of-owner'}");
            child(store, "unlike", "{apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: 'uid-of-owner'}");
            child(store, "stranger", "{apiVersion: 'v1', kind: 'ConfigMap', name: 'far', uid: 'uid-of-far'}");
            return all.map(done -> {
                assertThat(names(store)).containsExactlyInAnyOrder("owner", "far");
                assertThat(store.list(GroupResource.core("events")))
                        .singleElement()
                        .satisfies(event -> assertThat(event.path("message").asText())
                                .isEqualTo("ownerRef [v1/ConfigMap, namespace: n, name: far, uid: uid-of-far] does not"
                                        + " exist in namespace \"n\""));
                return done;
            });
        });
    }

    @Test
    void an_owner_of_a_kind_that_is_not_served_is_waited_for(Vertx vertx, VertxTestContext test) {
        story(vertx, test, store -> {
            child(store, "patient", "{apiVersion: 'example.com/v1', kind: 'Toy', name: 'toy', uid: 'uid-of-toy'}");
            Future<?> gone = gone(store, "lost");
            thing(store, "lost", "nobody");
            return gone.map(done -> {
                assertThat(names(store)).containsExactly("patient");
                return done;
            });
        });
    }

    private static void child(FakeStore store, String name, String reference) {
        store.create(
                THINGS,
                object("{metadata: {namespace: 'n', name: '" + name + "', ownerReferences: [" + reference + "]}}"));
    }

    private interface Story {
        Future<?> tell(FakeStore store);
    }

    private static void story(Vertx vertx, VertxTestContext test, Story story) {
        vertx.runOnContext(turn -> {
            FakeStore store = new FakeStore(vertx.getOrCreateContext());
            GarbageCollector collector = new GarbageCollector(vertx, store, CATALOG, ClusterClock.system(vertx));
            collector.start();
            story.tell(store).onComplete(test.succeeding(told -> {
                collector.stop();
                test.completeNow();
            }));
        });
    }

    private static void thing(FakeStore store, String name, String... owners) {
        ObjectNode thing = object("{metadata: {namespace: 'n', name: '" + name + "'}}");
        for (String owner : owners) {
            thing.withObject("/metadata")
                    .withArrayProperty("ownerReferences")
                    .addObject()
                    .put("apiVersion", "v1")
                    .put("kind", "ConfigMap")
                    .put("name", owner)
                    .put("uid", "uid-of-" + owner)
                    .put("blockOwnerDeletion", true);
        }
        store.create(THINGS, thing);
    }

    private static void delete(FakeStore store, String name, String policy) {
        store.delete(
                THINGS,
                ObjectKey.of("n", name),
                JsonNodeFactory.instance.objectNode().put("propagationPolicy", policy));
    }

    private static Future<?> gone(FakeStore store, String name) {
        return seen(
                store,
                event -> event.type() == StoreEvent.Type.DELETED
                        && event.key().name().equals(name));
    }

    private static Future<?> seen(FakeStore store, Predicate<StoreEvent> wanted) {
        Promise<Object> seen = Promise.promise();
        store.watch(THINGS, event -> {
            if (wanted.test(event)) {
                seen.tryComplete(event);
            }
        });
        return seen.future();
    }

    private static List<String> names(FakeStore store) {
        return store.list(THINGS).stream()
                .map(thing -> thing.at("/metadata/name").asText())
                .toList();
    }

    private static List<String> deletions(FakeStore store) {
        return store.history().stream()
                .filter(event -> event.type() == StoreEvent.Type.DELETED)
                .map(event -> event.key().name())
                .toList();
    }
}
