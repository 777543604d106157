package io.busbar.admission.conversion;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Random;

/**
 * A kind of three versions: the hub, v2, says a size as two numbers and has parts; v1 has one text; v3 has no parts.
 */
public final class Widgets {

    public static final Versions<V2> VERSIONS =
            Versions.hub(V2.class).spoke(V1.class, new FromV1()).spoke(V3.class, new FromV3());

    private Widgets() {}

    @Group("example.com")
    @Version(value = "v1", storage = false)
    @Kind("Widget")
    public static final class V1 extends CustomResource<SpecV1, Void> {}

    @Group("example.com")
    @Version("v2")
    @Kind("Widget")
    public static final class V2 extends CustomResource<SpecV2, Void> {}

    @Group("example.com")
    @Version(value = "v3", storage = false)
    @Kind("Widget")
    public static final class V3 extends CustomResource<SpecV3, Void> {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public static final class SpecV1 {
        public String size;
        public List<String> parts;
        public String motto;
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public static final class SpecV2 {
        public long width;
        public long height;
        public List<Part> parts;
        public String owner;
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public static final class SpecV3 {
        public long width;
        public long height;
        public String owner;
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public static final class Part {
        public String name;

        static Part of(String name) {
            Part part = new Part();
            part.name = name;
            return part;
        }
    }

    private static final class FromV1 implements Converter<V1, V2> {

        @Override
        public V2 toHub(V1 spoke) {
            V2 hub = new V2();
            hub.setSpec(new SpecV2());
            String[] size = spoke.getSpec().size.split("x", -1);
            if (size.length != 2) {
                throw new IllegalArgumentException(
                        "spec.size is '" + spoke.getSpec().size + "', allowed: WIDTHxHEIGHT");
            }
            hub.getSpec().width = Long.parseLong(size[0]);
            hub.getSpec().height = Long.parseLong(size[1]);
            if (spoke.getSpec().parts != null) {
                hub.getSpec().parts =
                        spoke.getSpec().parts.stream().map(Part::of).toList();
            }
            return hub;
        }

        @Override
        public V1 fromHub(V2 hub) {
            V1 spoke = new V1();
            spoke.setSpec(new SpecV1());
            spoke.getSpec().size = hub.getSpec().width + "x" + hub.getSpec().height;
            if (hub.getSpec().parts != null) {
                spoke.getSpec().parts =
                        hub.getSpec().parts.stream().map(part -> part.name).toList();
            }
            return spoke;
        }
    }

    private static final class FromV3 implements Converter<V3, V2> {

        @Override
        public V2 toHub(V3 spoke) {
            V2 hub = new V2();
            hub.setMetadata(spoke.getMetadata());
            hub.setSpec(new SpecV2());
            hub.getSpec().width = spoke.getSpec().width;
            hub.getSpec().height = spoke.getSpec().height;
            hub.getSpec().owner = spoke.getSpec().owner;
            return hub;
        }

        @Override
        public V3 fromHub(V2 hub) {
            V3 spoke = new V3();
            spoke.setMetadata(hub.getMetadata());
            spoke.setSpec(new SpecV3());
            spoke.getSpec().width = hub.getSpec().width;
            spoke.getSpec().height = hub.getSpec().height;
            spoke.getSpec().owner = hub.getSpec().owner;
            return spoke;
        }
    }

    static V1 randomV1(Random random) {
        V1 widget = new V1();
        widget.setMetadata(
                new ObjectMetaBuilder().withName("w" + random.nextInt(10)).build());
        widget.setSpec(new SpecV1());
        widget.getSpec().size = random.nextInt(5) + "x" + random.nextInt(5);
        widget.getSpec().motto = random.nextBoolean() ? "m" + random.nextInt(5) : null;
        return widget;
    }

    static V2 randomV2(Random random) {
        V2 widget = new V2();
        widget.setMetadata(new ObjectMetaBuilder()
                .withName("w" + random.nextInt(10))
                .addToLabels("colour", "c" + random.nextInt(3))
                .build());
        widget.setSpec(new SpecV2());
        widget.getSpec().width = random.nextInt(5);
        widget.getSpec().height = random.nextInt(5);
        widget.getSpec().owner = random.nextBoolean() ? "o" + random.nextInt(5) : null;
        widget.getSpec().parts = random.nextBoolean() ? List.of(Part.of("p" + random.nextInt(5))) : null;
        return widget;
    }
}
