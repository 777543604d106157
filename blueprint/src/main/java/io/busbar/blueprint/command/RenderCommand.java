package io.busbar.blueprint.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import io.busbar.blueprint.render.ConditionRendering.Stated;
import io.busbar.blueprint.render.LiveObjects;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code blueprint render}. */
@Command(
        name = "render",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Prints the objects of an instance that would be applied next, in order; comments tell what waits, and"
                        + " what the status comes to.")
final class RenderCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "FILE", description = "YAML with the Blueprint, or several.")
    private Path path = Path.of("");

    @Parameters(index = "1", paramLabel = "INSTANCE", description = "YAML with one instance.")
    private Path instancePath = Path.of("");

    @Option(
            names = "--with",
            paramLabel = "FILE",
            arity = "1..*",
            description = "YAML with objects as they are live, such as what kubectl get -o yaml prints.")
    private List<Path> live = List.of();

    @Mixin
    private BlueprintFiles files;

    @Override
    public Integer call() {
        List<Checked> checked = files.check(List.of(path));
        Problems problems = new Problems();
        List<SourceNode> instances = files.read(instancePath, problems);
        if (problems.isEmpty() && instances.size() != 1) {
            problems.add(new Place("", 1, 1), "there must be one instance, and there are " + instances.size());
        }
        files.tell(instancePath, problems);
        List<JsonNode> objects = new ArrayList<>();
        for (Path each : live) {
            Problems own = new Problems();
            files.read(each, own).forEach(object -> objects.add(object.json()));
            files.tell(each, own);
        }
        if (!files.hasFailed()) {
            render(checked, instances.get(0), new LiveObjects(objects));
        }
        return files.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private void render(List<Checked> checked, SourceNode instance, LiveObjects seen) {
        Optional<Checked> its = checked.stream()
                .filter(each -> each.blueprint().blueprint().schema().kind().equals(instance.text("kind")))
                .findFirst()
                .or(() -> checked.stream().findFirst());
        if (its.isEmpty()) {
            return;
        }
        Renderer renderer = new Renderer(its.get().blueprint());
        Problems ofInstance = renderer.check(instance);
        files.tell(instancePath, ofInstance);
        if (!ofInstance.isEmpty()) {
            return;
        }
        Problems ofExpressions = new Problems();
        Rendering rendering = renderer.render(instance, seen, ofExpressions);
        rendering.steps().forEach(this::print);
        print(rendering, ofExpressions);
        files.tell(Path.of(its.get().file()), ofExpressions);
    }

    private void print(Step step) {
        String state = step.id() + ": "
                + switch (step.fate()) {
                    case MADE -> step.objects().isEmpty() ? "no objects" : "applied";
                    case READ -> "read";
                    case WAITING -> "waiting: " + step.why();
                    case LEFT_OUT -> "left out: " + step.why();
                };
        boolean unready = step.fate() == Rendering.Fate.MADE && !step.ready();
        String comment = unready ? state + ", not ready: " + step.why() : state;
        if (step.objects().isEmpty()) {
            files.out().println("---");
            files.out().println("# " + comment);
        }
        for (ObjectNode object : step.objects()) {
            files.print(object, comment);
        }
    }

    private void print(Rendering rendering, Problems problems) {
        Stated own = rendering
                .unready()
                .map(step -> new Stated("ResourcesReady", "False", "Waiting", step.id() + ": " + step.why()))
                .orElseGet(() -> new Stated("ResourcesReady", "True", "Ready", "all resources are ready"));
        List<Stated> conditions =
                rendering.conditions().of(List.of(own), problems).stated();
        if (rendering.status().isEmpty() && rendering.unknown().isEmpty() && conditions.isEmpty()) {
            return;
        }
        files.out().println("---");
        files.out().println("# status");
        if (!rendering.status().isEmpty()) {
            BlueprintFiles.yaml(rendering.status())
                    .lines()
                    .forEach(line -> files.out().println("#   " + line));
        }
        conditions.forEach(one -> files.out()
                .println("# condition " + one.type() + ": " + one.status() + " " + one.reason() + " " + one.message()));
        rendering.unknown().forEach(field -> files.out().println("# not known yet: " + field));
    }
}
