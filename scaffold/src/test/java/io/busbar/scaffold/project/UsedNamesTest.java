package io.busbar.scaffold.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.scaffold.files.Edition;
import io.busbar.scaffold.files.ScaffoldFile;
import io.busbar.scaffold.project.ProjectResource.Api;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A kind may not be called as what the generated code names simply. */
class UsedNamesTest {

    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+\\.)?(\\w+);$");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"[^\"\\n]*\"");
    private static final Pattern WORD = Pattern.compile("(?<![.\\w])[A-Z]\\w*");

    @Test
    void are_those_that_are_imported_and_those_of_java_lang() {
        Set<String> used = new TreeSet<>();
        for (ScaffoldFile file : Edition.current().files(everything())) {
            if (file.path().endsWith(".java")) {
                String code = COMMENT.matcher(file.text()).replaceAll("");
                IMPORT.matcher(code)
                        .results()
                        .map(name -> name.group(2))
                        .filter(name -> Character.isUpperCase(name.charAt(0)) && !name.contains("Zyx"))
                        .forEach(used::add);
                WORD.matcher(code)
                        .results()
                        .map(MatchResult::group)
                        .filter(UsedNamesTest::isOfJavaLang)
                        .forEach(used::add);
            }
        }

        assertThat(NameRule.USED_NAMES).containsExactlyInAnyOrderElementsOf(used);
    }

    private static boolean isOfJavaLang(String name) {
        try {
            Class.forName("java.lang." + name);
            return true;
        } catch (ClassNotFoundException other) {
            return false;
        }
    }

    /** A project for which each template is used, and each line of the bundle. */
    private static Project everything() {
        ProjectResource hub = resource("v1", true, new Webhooks(true, true, true, List.of("v2")));
        ProjectResource spoke = resource("v2", false, new Webhooks(true, true, false, List.of()));
        ProjectResource alone = new ProjectResource(
                "b",
                "c.d",
                "v1",
                "ZyxAlone",
                "zyxs",
                "a.zyx.v1",
                Api.CLUSTER_SCOPED,
                false,
                new Webhooks(true, true, false, List.of()));
        assertThat(List.of(hub, spoke, alone).stream()
                        .map(ProjectResource::kind)
                        .collect(Collectors.toSet()))
                .allMatch(kind -> kind.contains("Zyx"));
        return Project.of("c.d", "zyx", "a", "1").with(hub).with(spoke).with(alone);
    }

    private static ProjectResource resource(String version, boolean controller, Webhooks webhooks) {
        return new ProjectResource(
                "b", "c.d", version, "Zyx", "zyxes", "a.zyxes." + version, Api.NAMESPACED, controller, webhooks);
    }
}
