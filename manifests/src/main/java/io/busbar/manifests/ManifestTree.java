package io.busbar.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.Difference.Kind;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that installs an operator, as files in kubebuilder's layout: {@code config} for kustomize, {@code dist} with the
 * same in one file, {@code chart} for Helm, {@code bundle} for the Operator Lifecycle Manager.
 *
 * <p>Immutable. Equal declarations give equal trees, to the byte.
 */
public final class ManifestTree {

    private static final String RULES = "prometheus/rule.yaml";

    /** Of a rule within a group. */
    private static final int ALERT_INDENT = 4;

    private static final String HEADER = "# Generated from the operator's declarations: edits are lost.\n";

    private final SortedMap<String, String> files;

    private ManifestTree(SortedMap<String, String> files) {
        this.files = Collections.unmodifiableSortedMap(files);
    }

    /**
     * Works out the files of an operator.
     *
     * @throws IllegalArgumentException when a type has no schema, naming the field
     */
    public static ManifestTree of(OperatorDeclaration operator) {
        List<CustomResourceDefinition> crds = operator.definitions();
        SortedMap<String, String> files = new TreeMap<>();
        SortedMap<String, String> kustomized = folder(Form.kustomized(operator), crds);
        if (operator.parts().size() > 1) {
            kustomized.putAll(Components.of(operator, kustomized));
        } else { // nothing to choose
            kustomized.keySet().removeIf(ManifestTree::isForChoice);
        }
        kustomized.forEach((file, text) -> files.put("config/" + file, text));
        files.put("config/grafana/operator.json", Dashboard.of(operator));
        SortedMap<String, String> installed = folder(Form.installed(operator), crds);
        files.put("dist/install.yaml", HEADER + Yaml.writeAll(applied(installed, "default")));
        files.put("dist/install-self-signed.yaml", HEADER + Yaml.writeAll(applied(installed, "self-signed")));
        Chart.of(operator, folder(Chart.form(operator), crds))
                .forEach((file, text) -> files.put("chart/" + file, text));
        OlmBundle.of(operator, installed).forEach((file, text) -> files.put("bundle/" + file, text));
        return new ManifestTree(files);
    }

    /** With the accounts that a kustomization has in a folder of their own. */
    private static List<ObjectNode> applied(SortedMap<String, String> installed, String folder) {
        return Stream.concat(Rendered.of(installed, folder).stream(), Accounts.of(installed).stream())
                .toList();
    }

    private static boolean isForChoice(String file) {
        return Stream.of("base/", "components/no-webhooks/", "components/watched-namespaces/", "watched-namespace/")
                .anyMatch(file::startsWith);
    }

    private static SortedMap<String, String> folder(Form form, List<CustomResourceDefinition> crds) {
        SortedMap<String, String> files = new TreeMap<>(Templates.of(form));
        files.computeIfPresent(RULES, (file, rules) -> rules + alertsOfParts(form));
        files.putAll(Generated.of(form, crds));
        return files;
    }

    /** Those of each part are a group more. */
    private static String alertsOfParts(Form form) {
        return form.operator().parts().stream()
                .filter(part -> !part.alerts().isBlank())
                .map(part -> form.fill("  - name: ${name}-" + part.name() + "\n    rules:\n"
                        + part.alerts().strip().indent(ALERT_INDENT)))
                .collect(Collectors.joining());
    }

    /** Contents by path below the root, with {@code /} between its parts. */
    public SortedMap<String, String> files() {
        return files;
    }

    /** Writes all files below a directory, over what is there; deletes nothing. Blocks. */
    public void writeTo(Path root) throws IOException {
        for (var file : files.entrySet()) {
            Path target = root.resolve(file.getKey());
            Files.createDirectories(target.resolveSibling(".").normalize());
            Files.writeString(target, file.getValue());
        }
    }

    /**
     * How a directory differs from what {@link #writeTo} would make of an empty one, sorted by file. Folders beside
     * those of the tree are not looked at. Blocks.
     */
    public List<Difference> differencesIn(Path root) throws IOException {
        Set<String> present = filesIn(root);
        Set<String> all = new TreeSet<>(files.keySet());
        all.addAll(present);
        List<Difference> differences = new ArrayList<>();
        for (String file : all) {
            String wanted = files.get(file);
            if (wanted == null) {
                differences.add(new Difference(file, Kind.UNEXPECTED, ""));
            } else if (!present.contains(file)) {
                differences.add(new Difference(file, Kind.MISSING, ""));
            } else {
                String found = Files.readString(root.resolve(file));
                if (!found.equals(wanted)) {
                    differences.add(new Difference(file, Kind.CHANGED, firstDifference(found, wanted)));
                }
            }
        }
        return differences;
    }

    /** Of the folders that the tree has. */
    private Set<String> filesIn(Path root) throws IOException {
        Set<String> found = new TreeSet<>();
        for (String folder : folders()) {
            if (Files.isDirectory(root.resolve(folder))) {
                try (Stream<Path> paths = Files.walk(root.resolve(folder))) {
                    paths.filter(Files::isRegularFile)
                            .map(path -> root.relativize(path)
                                    .toString()
                                    .replace(path.getFileSystem().getSeparator(), "/"))
                            .forEach(found::add);
                }
            }
        }
        return found;
    }

    private Set<String> folders() {
        return files.keySet().stream()
                .map(file -> file.substring(0, file.indexOf('/')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String firstDifference(String found, String wanted) {
        List<String> is = found.lines().toList();
        List<String> shouldBe = wanted.lines().toList();
        int line = 0;
        while (line < is.size() && line < shouldBe.size() && is.get(line).equals(shouldBe.get(line))) {
            line++;
        }
        return "line " + (line + 1) + " is " + lineOrEnd(is, line) + ", should be " + lineOrEnd(shouldBe, line);
    }

    private static String lineOrEnd(List<String> lines, int at) {
        return at < lines.size() ? "'" + lines.get(at) + "'" : "the end";
    }
}
