package io.busbar.scaffold.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreeWayMergeTest {

    @Test
    void shows_a_conflict_with_both_sides_and_what_was_there() {
        ThreeWayMerge merge = ThreeWayMerge.of("one\ntwo\nthree\n", "one\nmine\nthree\n", "one\ntheirs\nthree\n");

        assertThat(merge.text("yours", "scaffold 1", "scaffold 2")).isEqualTo("""
                one
                <<<<<<< yours
                mine
                ||||||| scaffold 1
                two
                =======
                theirs
                >>>>>>> scaffold 2
                three
                """);
    }

    @Test
    void a_change_beside_another_is_a_conflict() {
        assertThat(ThreeWayMerge.of("one\ntwo\n", "ONE\ntwo\n", "one\nTWO\n").conflicts())
                .isEqualTo(1);
    }

    @Test
    void an_import_here_and_a_method_there_go_together() {
        String merged = ThreeWayMerge.of(
                        "import a;\n\nclass A {\n}\n",
                        "import a;\nimport b;\n\nclass A {\n}\n",
                        "import a;\n\nclass A {\n  void run() {}\n}\n")
                .text("yours", "old", "new");

        assertThat(merged).isEqualTo("import a;\nimport b;\n\nclass A {\n  void run() {}\n}\n");
    }
}
