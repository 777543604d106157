package io.busbar.blueprint.read;

import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.source.Problem;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.source.SourceReader;
import io.busbar.blueprint.types.ModelTypes;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Reads and checks texts with Blueprints, which know the kinds of one another, and tells what is wrong with them. For
 * one thread.
 */
public final class BlueprintReader {

    /** Of a Blueprint, and of a ServiceAccount: as the API server takes them. */
    private static final Pattern NAME = Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    private static final String ALLOWED =
            "'; allowed: lower-case letters, digits, '-' and '.', a letter or a digit first and last";

    private final ModelTypes models = new ModelTypes();
    private final BiConsumer<String, String> problems;
    private boolean failed;

    /** What a file says. */
    public record Text(String file, String yaml) {}

    /** A Blueprint without problems, with the file that it is from. */
    public record Checked(String file, CheckedBlueprint blueprint) {}

    /** @param ofFile what is wrong with the whole file */
    private record Found(String file, Blueprint blueprint, Problems problems, Problems ofFile) {}

    /** @param problems is told of each, with the file first */
    public BlueprintReader(BiConsumer<String, String> problems) {
        this.problems = problems;
    }

    /** Whether there were problems. */
    public boolean hasFailed() {
        return failed;
    }

    /** The metadata of objects, where nobody says anything of it. */
    public Shape metadata() {
        return models.metadata();
    }

    /**
     * The Blueprints of texts, without those with problems.
     *
     * @param kinds that templates may be of, before the built-in ones
     */
    public List<Checked> check(List<Text> texts, Optional<Types> kinds) {
        List<Found> found = new ArrayList<>();
        for (Text text : texts) {
            Problems ofFile = new Problems();
            List<SourceNode> documents = SourceReader.read(text.yaml(), ofFile);
            if (documents.isEmpty() && ofFile.isEmpty()) {
                tell(text.file(), "the file is empty");
            }
            tell(text.file(), ofFile);
            for (SourceNode document : documents) {
                Problems own = new Problems();
                Optional<Blueprint> blueprint = Blueprint.read(document, own);
                blueprint.ifPresent(read -> found.add(new Found(text.file(), read, own, ofFile)));
                if (blueprint.isEmpty()) {
                    tell(text.file(), own);
                }
            }
        }
        List<CheckedBlueprint> results = checkTogether(found, kinds);
        List<Checked> checked = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Found each = found.get(i);
            tell(each.file(), each.problems());
            if (each.problems().isEmpty() && each.ofFile().isEmpty()) {
                checked.add(new Checked(each.file(), results.get(i)));
            }
        }
        return checked;
    }

    /** The same of those that are to run in one operator: no two of them have one name or one kind. */
    public List<Checked> checkForOneOperator(List<Text> texts, Optional<Types> kinds) {
        List<Checked> checked = check(texts, kinds);
        Map<String, String> names = new HashMap<>();
        Map<String, String> ofKinds = new HashMap<>();
        for (Checked each : checked) {
            Blueprint blueprint = each.blueprint().blueprint();
            String account = blueprint.serviceAccountName();
            if (!NAME.matcher(blueprint.name()).matches()) {
                tell(each.file(), "metadata.name: '" + blueprint.name() + ALLOWED);
            }
            if (!account.isEmpty() && !NAME.matcher(account).matches()) {
                tell(each.file(), "spec.serviceAccountName: '" + account + ALLOWED);
            }
            // Parts of an operator have no dots in their names.
            claim(each, "metadata.name", blueprint.name(), blueprint.name().replace('.', '-'), names);
            String kind = blueprint.schema().type().toString();
            claim(each, "spec.schema", blueprint.schema().kind() + " (" + kind + ")", kind, ofKinds);
        }
        return checked;
    }

    private void claim(Checked blueprint, String field, String value, String key, Map<String, String> taken) {
        String first = taken.putIfAbsent(key, blueprint.file());
        if (first != null) {
            tell(
                    blueprint.file(),
                    field + ": '" + value + "' is taken by a Blueprint in " + first
                            + "; allowed: one Blueprint of each name, and one for each kind");
        }
    }

    private List<CheckedBlueprint> checkTogether(List<Found> found, Optional<Types> kinds) {
        DeclaredKinds together = new DeclaredKinds(
                declared -> Types.firstOf(
                        kinds.map(given -> List.of(given, declared, models)).orElse(List.of(declared, models))),
                models.metadata());
        found.forEach(each -> together.add(each.blueprint(), each.problems()));
        return together.checked();
    }

    /** Tells problems of a file, one by one. */
    public void tell(String file, Problems several) {
        for (Problem problem : several.list()) {
            tell(file, problem.toString());
        }
    }

    private void tell(String file, String problem) {
        failed = true;
        problems.accept(file, problem);
    }
}
