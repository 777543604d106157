package io.busbar.operator.reference;

import io.busbar.common.MetadataKey;
import io.busbar.operator.reference.DeclaredFields.Declared;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What annotations, labels and finalizers mean, from the constants that the code names them by. */
final class AnnotationsPage {

    private static final String HEAD = """
            # Annotations, labels and finalizers

            Those that mean something to an operator in the jar. Leave alone what the operator sets: it is how it remembers. Labels that an operator only gives to
            what it makes, for people and selectors, such as `app.kubernetes.io/name`, are not here.
            """;

    /** By the part of the package that tells; the first that fits counts. */
    private static final List<Map.Entry<String, String>> SECTIONS = List.of(
            Map.entry(".sidecarset", "SidecarSet"),
            Map.entry(".podset", "PodSet"),
            Map.entry(".memcached", "Memcached"),
            Map.entry(".guestbook", "Guestbook"),
            Map.entry(".mysqlcluster", "MySQLCluster and what belongs to it"),
            Map.entry(".blueprint", "Blueprints"),
            Map.entry("io.busbar", "Any operator"));

    /**
     * Of Memcached, which is made to be copied, and so has its name in its bundle; {@link ReferenceTest} looks for it
     * there.
     */
    static final MetadataKey MEMCACHED = MetadataKey.finalizer(
            "cache.example.com/finalizer", "a Memcached", "kept by the operator until it has told of the end");

    private final List<Declared<MetadataKey>> declared = DeclaredFields.of(MetadataKey.class);

    /** All, with that of Memcached. */
    List<MetadataKey> keys() {
        List<MetadataKey> keys =
                new ArrayList<>(declared.stream().map(Declared::value).toList());
        keys.add(MEMCACHED);
        return keys;
    }

    Page page() {
        StringBuilder text = new StringBuilder(HEAD);
        List<String> titles = new ArrayList<>(SECTIONS.stream()
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparing(title -> !title.startsWith("Any")))
                .toList());
        for (String title : titles) {
            text.append("\n## ").append(title).append("\n\n| name | is | on | meaning |\n|---|---|---|---|\n");
            keysOf(title).stream()
                    .sorted(Comparator.comparing(MetadataKey::name)
                            .thenComparing(MetadataKey::place)
                            .thenComparing(MetadataKey::on))
                    .forEach(key -> text.append(row(key)));
        }
        return new Page("annotations.md", text.toString());
    }

    private List<MetadataKey> keysOf(String title) {
        List<MetadataKey> keys = new ArrayList<>(declared.stream()
                .filter(one -> section(one.in().getPackageName()).equals(title))
                .map(Declared::value)
                .toList());
        if (title.equals("Memcached")) {
            keys.add(MEMCACHED);
        }
        return keys;
    }

    private static String section(String type) {
        return SECTIONS.stream()
                .filter(section -> type.contains(section.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private static String row(MetadataKey key) {
        return "| `" + key.name() + "` | " + key.place().name().toLowerCase(Locale.ROOT) + " | " + Page.cell(key.on())
                + " | " + Page.cell(key.meaning()) + " |\n";
    }
}
